using System.Globalization;

namespace CoAP.Testing;

/// <summary>A datagram in the transcript of a <see cref="SimulatedNetwork"/>.</summary>
/// <param name="Time">When it was sent: the time since the beginning.</param>
/// <param name="From">The sender.</param>
/// <param name="To">The receiver.</param>
/// <param name="Bytes">Its bytes.</param>
/// <param name="Copies">The number of copies that arrive: 0 if it is lost, 2 if it is repeated.</param>
public sealed record TranscriptEntry(TimeSpan Time, string From, string To, ReadOnlyMemory<byte> Bytes, int Copies)
{
    /// <summary>Whether the network has lost the datagram.</summary>
    public bool IsLost => Copies == 0;

    /// <summary>The message, such as <c>CON [0x7d34] GET /temperature (Token 0x20)</c>; the bytes if it is not a message.</summary>
    public string Message => MessageText.Of(Bytes.Span);

    /// <summary>Returns the time in seconds, the hosts and the message.</summary>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture, $"{Time.TotalSeconds,10:0.000} {From} -> {To}: {Message}{(Copies == 0 ? "  (lost)" : Copies > 1 ? $"  ({Copies} copies)" : "")}");
}
