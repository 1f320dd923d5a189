using System.Runtime.InteropServices;
using System.Text;
using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Reliability;
using CoAP.Resources;
using CoAP.Streams;

namespace CoAP;

/// <summary>A request as a handler sees it.</summary>
/// <remarks>Immutable apart from its route; safe for concurrent use. The payload and options may be kept: nothing recycles them.</remarks>
public sealed class ReceivedRequest
{
    private readonly IRequestOrigin _origin;
    private readonly ChannelKey _key;
    private Rare? _rare;

    internal ReceivedRequest(CoapMessage message, in ChannelKey key, IRequestOrigin origin) => (Message, _key, _origin) = (message, key, origin);

    /// <summary>The whole message.</summary>
    public CoapMessage Message { get; private set; }

    /// <summary>The method.</summary>
    public CoapCode Method => Message.Code;

    /// <summary>The options.</summary>
    public OptionSet Options => Message.Options;

    /// <summary>The payload.</summary>
    public ReadOnlyMemory<byte> Payload => Method.MayHavePayload ? Message.Payload : default;

    /// <summary>
    /// The body as a stream, to be read once: of the payload, or as blocks come where the resource was mapped with
    /// <see cref="ResourceBodyExtensions.StreamsBody"/>; then the payload is empty.
    /// </summary>
    /// <remarks>For one reader. Reads fail with a <see cref="CoapTransferException"/> where the transfer breaks off.</remarks>
    public Stream Body => Seldom.Body ??= StreamOf(Payload);

    /// <summary>The payload read as UTF-8.</summary>
    public string PayloadText => Encoding.UTF8.GetString(Payload.Span);

    /// <summary>Who sent it.</summary>
    public PeerIdentity Peer => _key.Peer;

    /// <summary>The local address it was sent to; for a multicast request the one that the answer leaves from, without an address where the system chooses.</summary>
    public PeerIdentity Local => _key.Local;

    /// <summary>Whether it was sent to a group, so that the answer is late by a random time, and left out where it is of no use (RFC 7252, section 8.2).</summary>
    public bool IsMulticast { get => _rare is { IsMulticast: true }; internal init => _rare = value ? Seldom with { IsMulticast = true } : _rare; }

    /// <summary>What the peer proved about itself; absent on plain transports.</summary>
    public PeerCredentials? Credentials { get; init; }

    /// <summary>Whether it came over a reliable transport (RFC 8323).</summary>
    public bool IsReliable => _origin.IsReliable;

    /// <summary>The association it came over; requests can be sent to the peer on it.</summary>
    public IChannel Channel => _origin.OpenChannel(this);

    /// <summary>The format of the payload, if the request says one.</summary>
    public uint? ContentFormat => Options.Get<ContentFormat>()?.Value;

    /// <summary>The format that the client wants, if the request says one.</summary>
    public uint? Accept => Options.Get<Accept>()?.Value;

    /// <summary>The path of the resource, "/" and segments joined by "/", not percent-encoded.</summary>
    public string Path => "/" + string.Join('/', Options.GetAll<UriPath>().Select(segment => segment.Value));

    internal ref readonly ChannelKey Key => ref _key;

    private Rare Seldom => _rare ??= new Rare();

    /// <summary>Where routing led to.</summary>
    internal Dispatch Dispatch { get; set; }

    /// <summary>What deduplication remembers the message by.</summary>
    internal Ticket Ticket { get; init; }

    /// <summary>The length of the datagram it came in, in bytes; nothing where the transport is reliable.</summary>
    internal int DatagramLength { get; init; }

    /// <summary>The connection it came over, where the transport is reliable.</summary>
    internal StreamChannel? Stream { get; init; }

    /// <summary>What the connection counts it by among its requests in progress.</summary>
    internal int Generation { get; init; }

    /// <summary>The wait for the handler, once it is known that there is one.</summary>
    internal ServerExchange? Exchange { get; set; }

    /// <summary>Who wants the answer, where the endpoint has put the request to itself.</summary>
    internal IAnswerTaker? Taker { get => _rare?.Taker; init => _rare = Seldom with { Taker = value }; }

    /// <summary>How often the resource had changed when the request came, where it asks to observe it.</summary>
    internal long ObservedVersion { get => _rare?.ObservedVersion ?? 0; set => _rare = Seldom with { ObservedVersion = value }; }

    /// <summary>What the answer says about the last block of the request's body, where it came in blocks (RFC 7959, section 2.3).</summary>
    internal Block1? LastBlock => _rare?.LastBlock;

    /// <summary>The transfer of the body, where the handler reads it as blocks come; it takes the answer.</summary>
    internal Upload? Upload => _rare?.Upload;

    /// <summary>Whether a large response may go in Q-Block2 (RFC 9177, section 4.1).</summary>
    internal bool AsksRobustly { get => _rare is { AsksRobustly: true }; set => _rare = Seldom with { AsksRobustly = value }; }

    internal bool NeedsAcknowledgement => !IsReliable && Message.Type == MessageType.Confirmable;

    /// <summary>The value of a placeholder of the resource's path, such as "id" of "sensors/{id}".</summary>
    /// <exception cref="ArgumentException">The path has no such placeholder.</exception>
    public string this[string name] => Dispatch.Route.GetValue(name, Options);

    /// <summary>The value of the first query argument "name=value"; empty for a bare "name", <see langword="null"/> where there is none.</summary>
    public string? Query(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        foreach (var argument in Options.GetAll<UriQuery>())
        {
            if (!argument.Value.StartsWith(name, StringComparison.Ordinal)) { continue; }
            if (argument.Value.Length == name.Length) { return ""; }
            if (argument.Value[name.Length] == '=') { return argument.Value[(name.Length + 1)..]; }
        }
        return null;
    }

    /// <summary>The request as notifications answer it, which say nothing of the blocks that it came in.</summary>
    internal ReceivedRequest WithoutLastBlock()
    {
        if (LastBlock is null) { return this; }
        var copy = (ReceivedRequest)MemberwiseClone();
        copy._rare = _rare! with { LastBlock = null };
        return copy;
    }

    /// <summary>The same request once more, put by the endpoint to itself: nothing is acknowledged, and the answer goes to the taker.</summary>
    internal ReceivedRequest AgainFor(IAnswerTaker taker)
    {
        var message = new CoapMessage
        {
            Type = MessageType.NonConfirmable,
            Code = Message.Code,
            MessageId = Message.MessageId,
            Token = Message.Token,
            Options = Message.Options,
            Payload = Message.Payload,
        };
        return new(message, _key, _origin) { Credentials = Credentials, Stream = Stream, Taker = taker };
    }

    /// <summary>Sends the empty acknowledgement now, because the response will take a while; without it, it is sent after a set time (RFC 7252, section 5.2.2).</summary>
    public void Acknowledge() => _origin.Acknowledge(this);

    private static MemoryStream StreamOf(ReadOnlyMemory<byte> payload) => MemoryMarshal.TryGetArray(payload, out var array)
        ? new MemoryStream(array.Array!, array.Offset, array.Count, writable: false)
        : new MemoryStream(payload.ToArray(), writable: false);

    /// <summary>The request of a last block with the whole body in its place.</summary>
    internal ReceivedRequest WithBody(CoapMessage whole, Block1? lastBlock)
    {
        var copy = (ReceivedRequest)MemberwiseClone();
        (copy.Message, copy._rare) = (whole, Seldom with { LastBlock = lastBlock });
        return copy;
    }

    /// <summary>The request of a first block, with a body that is yet to come.</summary>
    internal ReceivedRequest WithUpload(CoapMessage head, Upload upload, Stream body)
    {
        var copy = (ReceivedRequest)MemberwiseClone();
        (copy.Message, copy._rare) = (head, Seldom with { Upload = upload, Body = body });
        return copy;
    }

    // What few requests have, so that the others are no larger for it. Copies of a request do not share it.
    private sealed record Rare
    {
        public Block1? LastBlock { get; init; }

        public Upload? Upload { get; init; }

        public Stream? Body { get; set; }

        public bool AsksRobustly { get; init; }

        public bool IsMulticast { get; init; }

        public IAnswerTaker? Taker { get; init; }

        public long ObservedVersion { get; init; }
    }
}
