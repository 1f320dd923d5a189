using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP;

/// <summary>
/// A request of this endpoint on its way to its peer, before it is a message: a whole call, one block of a body, or a registration.
/// </summary>
/// <remarks>Valid on its lane, also later: if the call ends while a stage holds the request, the request is not sent.</remarks>
public readonly struct OutgoingRequest
{
    internal OutgoingRequest(IAskedMessage sender, in OptionSet options, ReadOnlyMemory<byte> payload) =>
        (Sender, Method, Options, Payload) = (sender, sender.Method, options, payload);

    /// <summary>The peer or group, and the local address.</summary>
    public ChannelKey Key => Sender.Key;

    /// <summary>The token, with which the responses come. At <see cref="MeshArrow.AskedRequests"/> it may still be empty.</summary>
    public Token Token => Sender.Token;

    /// <summary>The method.</summary>
    public CoapCode Method { get; private init; }

    /// <summary>All options, including those of the URI.</summary>
    public OptionSet Options { get; private init; }

    /// <summary>The payload of the message. Not copied: the memory is the caller's.</summary>
    public ReadOnlyMemory<byte> Payload { get; private init; }

    internal IAskedMessage Sender { get; }

    /// <summary>Returns the request with other contents, for example encrypted ones.</summary>
    /// <param name="method">The method.</param>
    /// <param name="options">All options.</param>
    /// <param name="payload">The payload. It must not change until the call has ended.</param>
    /// <exception cref="ArgumentException">The code is not a method.</exception>
    public OutgoingRequest With(CoapCode method, OptionSet options, ReadOnlyMemory<byte> payload)
    {
        if (!method.IsRequest) { throw new ArgumentException($"Code {method} is not a method; methods are 0.01 to 0.31.", nameof(method)); }
        return this with { Method = method, Options = options, Payload = payload };
    }

    internal OutgoingRequest With(in OptionSet options) => this with { Options = options };
}

/// <summary>A request that passes the stages of asking: an exchange, a request to a group, or one for which no state is kept.</summary>
internal interface IAskedMessage
{
    ChannelKey Key { get; }

    CoapCode Method { get; }

    Token Token { get; }

    /// <summary>The source of the request's Echo value; <see langword="null"/>, the default, if it gets none.</summary>
    EchoMemory? Echoes => null;

    /// <summary>The Echo value that the peer has asked this request for.</summary>
    Echo? RequestedEcho => null;

    /// <summary>Waits until the limits of the channel allow the request. It then gets its token and message ID, and is admitted.</summary>
    void Submit(in OutgoingRequest request);

    /// <summary>Sends the admitted request, and again until it is acknowledged.</summary>
    void Send(in OutgoingRequest request);

    /// <summary>Ends the request, because a stage does not pass it on.</summary>
    void Fail(Exception error);
}
