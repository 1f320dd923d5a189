using System.Net;

namespace CoAP.Tool.LoadEngine;

/// <summary>The shape of a load: how many requests, from how many sockets, at which rate, and which answers are good.</summary>
internal sealed record LoopSettings
{
    public required IPEndPoint Server { get; init; }

    /// <summary>The number of sockets, each with a port of its own, or of connections.</summary>
    public required int Sockets { get; init; }

    /// <summary>The most requests without an answer over all sockets.</summary>
    public required int Slots { get; init; }

    /// <summary>The requests a second of an open loop. Default: a closed loop, in which an answer makes room for the next request.</summary>
    public double? Rate { get; init; }

    /// <summary>The time after which a request counts as lost.</summary>
    public required TimeSpan Patience { get; init; }

    /// <summary>Whether requests over UDP are confirmable. Default: yes.</summary>
    public bool IsConfirmable { get; init; } = true;

    /// <summary>
    /// The time before a confirmable request is sent again (RFC 7252, section 4.8, ACK_TIMEOUT). Default: never; what a server drops then counts as lost.
    /// Needs a request for each socket.
    /// </summary>
    public TimeSpan? AckTimeout { get; init; }

    /// <summary>Whether a code is that of a good answer. Default: each code of class 2.</summary>
    public Predicate<byte> IsGood { get; init; } = static code => new CoapCode(code).IsSuccess;

    /// <summary>The bytes that a good answer ends with. Default: any.</summary>
    public byte[] Expected { get; init; } = [];
}
