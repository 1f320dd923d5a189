using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>The load on a server.</summary>
internal sealed record LoadSettings
{
    public const byte Get = 1, Post = 2, Put = 3;

    public required IPEndPoint Server { get; init; }

    /// <summary>The local address of connections. Default: several loopback addresses in turn, so that ports do not run out.</summary>
    public IPAddress? Source { get; init; }

    /// <summary>Whether the load is CoAP over TCP (RFC 8323). Default: UDP (RFC 7252).</summary>
    public bool IsTcp { get; init; }

    /// <summary>The method of the requests. Default: GET.</summary>
    public byte Method { get; init; } = Get;

    /// <summary>Whether requests over UDP are confirmable. Default: yes.</summary>
    public bool IsConfirmable { get; init; } = true;

    /// <summary>The path and query of the requests, without a leading slash.</summary>
    public string Path { get; init; } = "hello";

    /// <summary>The payload of the requests. Default: none.</summary>
    public byte[] Payload { get; init; } = [];

    /// <summary>The value of the option Content-Format in the requests. Default: no option.</summary>
    public uint? ContentFormat { get; init; }

    /// <summary>The value of the option Accept in the requests. Default: no option.</summary>
    public uint? Accept { get; init; }

    /// <summary>The bytes that a good answer ends with. Default: any.</summary>
    public byte[] Expected { get; init; } = [];

    /// <summary>The number of sockets, each with a port of its own, or of connections. Default: 16.</summary>
    public int Sockets { get; init; } = 16;

    /// <summary>The most requests without an answer: over all sockets for UDP, on each connection for TCP. Default: 64.</summary>
    public int Outstanding { get; init; } = 64;

    /// <summary>The requests a second of an open loop. Default: a closed loop, in which an answer makes room for the next request.</summary>
    public double? Rate { get; init; }

    /// <summary>How long the load is measured. Default: 5 s.</summary>
    public TimeSpan Duration { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long the load lasts before it is measured. Default: 12 s; a .NET server on one busy core needs as long until all is compiled.</summary>
    public TimeSpan WarmUp { get; init; } = TimeSpan.FromSeconds(12);

    /// <summary>The number of answers that ends the measurement early. Default: none.</summary>
    public long Limit { get; init; } = long.MaxValue;

    /// <summary>The time after which a request counts as lost. Default: 2 s.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>The ID of the server's process, if its usage is measured.</summary>
    public int? ServerProcess { get; init; }

    /// <summary>The most requests without an answer over all sockets.</summary>
    public int Slots => IsTcp ? Sockets * Outstanding : Outstanding;

    /// <summary>Returns the settings of the engine. It never sends a request again, so that each loss counts.</summary>
    public LoopSettings ToLoop() => new()
    {
        Server = Server,
        Sockets = Sockets,
        Slots = Slots,
        Rate = Rate,
        Patience = Patience,
        IsConfirmable = IsConfirmable,
        IsGood = code => IsExpected(Method, code),
        Expected = Expected,
    };

    /// <summary>Returns the bytes that all requests share.</summary>
    public RequestShape ToShape()
    {
        var options = CoapUri.Parse($"coap://host/{Path}").ToPathOptions();
        if (ContentFormat is { } contentFormat) { options = options.With(new ContentFormat(contentFormat)); }
        if (Accept is { } accept) { options = options.With(new Accept(accept)); }
        var request = new CoapMessage
        {
            Type = IsConfirmable ? MessageType.Confirmable : MessageType.NonConfirmable,
            Code = new CoapCode(Method),
            Token = RequestShape.AnyToken,
            Options = options,
            Payload = Payload,
        };
        return IsTcp ? StreamFrame.ShapeOf(request) : new RequestShape(request);
    }

    /// <summary>Whether a code is the expected one: 2.05 to GET, 2.01 or 2.04 to PUT and POST, and 2.05 to POST.</summary>
    private static bool IsExpected(byte method, byte code) => method == Get
        ? code == ResponseCode.Content.Value
        : code == ResponseCode.Created.Value || code == ResponseCode.Changed.Value || (method == Post && code == ResponseCode.Content.Value);
}
