using CoAP.Measurements.HandWritten;
using CoAP.Measurements.Reporting;

namespace CoAP.Measurements.Meshes;

/// <summary>A confirmable request, and what came of it.</summary>
internal sealed class UdpAsker
{
    private readonly HandWrittenRequest _request;

    public UdpAsker(string name, byte code, string path, byte[]? payload = null) => (Name, _request) = (name, HandWrittenRequest.Datagram(code, path, payload));

    public string Name { get; }

    public LatencyHistogram Latencies { get; private set; } = new();

    /// <summary>Answers that were errors.</summary>
    public long Wrong { get; set; }

    /// <summary>Requests without an answer.</summary>
    public long Missing { get; set; }

    public static UdpAsker Hello => new("hello", HandWrittenRequest.Get, "hello");

    public static UdpAsker Sum(int size) => new($"{size:N0}", HandWrittenRequest.Put, "sum", [.. Enumerable.Range(0, size).Select(static at => (byte)at)]);

    public void Clear() => (Latencies, Wrong, Missing) = (new LatencyHistogram(), 0, 0);

    /// <summary>The request; valid until the next one.</summary>
    public ReadOnlySpan<byte> Request(ushort messageId, uint token) => _request.Number(messageId, token);
}
