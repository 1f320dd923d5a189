using System.Runtime.InteropServices;
using CoAP.Accounting;
using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>The state that only few requests need, in a separate object to keep the others small. Copies of a request do not share it.</summary>
internal sealed record RequestExtras
{
    public IncomingRequest? Root { get; init; }

    /// <summary>The request of which this is a copy, also if the two end separately.</summary>
    public IncomingRequest? Original { get; init; }

    public Block1? LastBlock { get; init; }

    /// <summary>The charge for the bytes of the request. Only that of the root counts.</summary>
    public BodyCharge? BodyCharge { get; set; }

    public IStreamedBody? Streamed { get; init; }

    public Stream? Body { get; set; }

    public object? Transfer { get; init; }

    public IAnswerTaker? Taker { get; init; }

    public bool IsPutOff { get; set; }

    public PeerCredentials? Credentials { get; init; }

    public long AuthorizedUntil { get; set; }

    public long ObservedVersion { get; init; }

    /// <summary>Returns a stream that reads a payload.</summary>
    public static MemoryStream StreamOf(ReadOnlyMemory<byte> payload) => MemoryMarshal.TryGetArray(payload, out var array)
        ? new MemoryStream(array.Array!, array.Offset, array.Count, writable: false)
        : new MemoryStream(payload.ToArray(), writable: false);
}
