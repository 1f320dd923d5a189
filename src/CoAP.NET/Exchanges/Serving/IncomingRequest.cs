using System.Runtime.InteropServices;
using System.Text;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Reliability;

namespace CoAP;

/// <summary>A request as a handler sees it.</summary>
/// <remarks>Safe for concurrent use. The payload and the options may be kept: nothing recycles them.</remarks>
public abstract class IncomingRequest : IRoutedRequest
{
    private readonly ChannelKey _key;
    private Rare? _rare;
    private RequestEnd? _end;

    private protected IncomingRequest(CoapMessage message, in ChannelKey key) => (Message, _key) = (message, key);

    /// <summary>The whole message.</summary>
    public CoapMessage Message { get; private set; }

    /// <summary>The method.</summary>
    public CoapCode Method => Message.Code;

    /// <summary>The options.</summary>
    public OptionSet Options => Message.Options;

    /// <summary>The payload.</summary>
    public ReadOnlyMemory<byte> Payload => Method.MayHavePayload ? Message.Payload : default;

    /// <summary>
    /// The body as a stream that can be read once. It reads the payload, or the blocks as they arrive if the resource was mapped with
    /// <c>StreamsBody</c>; the payload is empty then.
    /// </summary>
    /// <remarks>For one reader. A read throws a <see cref="CoapTransferException"/> if the transfer breaks off.</remarks>
    public Stream Body => Seldom.Body ??= StreamOf(Payload);

    /// <summary>The payload, decoded as UTF-8.</summary>
    public string PayloadText => Encoding.UTF8.GetString(Payload.Span);

    /// <summary>The peer that sent the request.</summary>
    public PeerIdentity Peer => _key.Peer;

    /// <summary>The local address that received the request. For a multicast request it is the address that the response leaves from.</summary>
    public PeerIdentity Local => _key.Local;

    /// <summary>Whether the request was sent to a group. Its response is delayed by a random time, and left out if it is of no use (RFC 7252, section 8.2).</summary>
    public virtual bool IsMulticast => false;

    /// <summary>What the peer proved about itself; <see langword="null"/> on plain transports.</summary>
    public virtual PeerCredentials? Credentials => null;

    /// <summary>Whether the request came over a reliable transport (RFC 8323).</summary>
    public abstract bool IsReliable { get; }

    /// <summary>The channel of the peer. Requests can be sent to the peer over it.</summary>
    public abstract IChannel Channel { get; }

    /// <summary>The format of the payload, if the request names one.</summary>
    public uint? ContentFormat => Options.Get<ContentFormat>()?.Value;

    /// <summary>The format that the client wants, if the request names one.</summary>
    public uint? Accept => Options.Get<Accept>()?.Value;

    /// <summary>The path of the resource: "/" and the segments joined by "/", not percent-encoded.</summary>
    public string Path => "/" + string.Join('/', Options.GetAll<UriPath>().Select(segment => segment.Value));

    /// <summary>The value of a placeholder of the resource's path, such as "id" of "sensors/{id}".</summary>
    /// <exception cref="ArgumentException">The path has no such placeholder.</exception>
    public string this[string name] => Route is { } route
        ? route.GetValue(name, Options)
        : throw new InvalidOperationException($"The request was not routed: there is no value '{name}'.");

    RequestRoute? IRoutedRequest.Route => Route;

    internal ref readonly ChannelKey Key => ref _key;

    /// <summary>Where routing led; <see langword="null"/> before the request is routed.</summary>
    internal RequestRoute? Route { get; set; }

    /// <summary>The wait for the handler, once it is known that the handler takes its time.</summary>
    internal ServerExchange? Exchange { get; set; }

    /// <summary>How the request ended; <see langword="null"/> as long as it has not.</summary>
    internal RequestEnd? End => Root._end;

    /// <summary>The part of the endpoint that put the request to itself and takes its answer.</summary>
    internal IAnswerTaker? Taker { get => _rare?.Taker; private protected init => _rare = Seldom with { Taker = value }; }

    /// <summary>How often the resource had changed when the request arrived, for requests that observe it.</summary>
    internal long ObservedVersion { get => _rare?.ObservedVersion ?? 0; set => _rare = Seldom with { ObservedVersion = value }; }

    /// <summary>What the answer says about the last block of the request's body, if the body came in blocks (RFC 7959, section 2.3).</summary>
    internal Block1? LastBlock => _rare?.LastBlock;

    /// <summary>The transfer of the body, if the handler reads it while blocks arrive. It takes the answer.</summary>
    internal IStreamedBody? Streamed => _rare?.Streamed;

    /// <summary>Whether a large response may be sent in Q-Block2 (RFC 9177, section 4.1).</summary>
    internal bool AsksRobustly { get => _rare is { AsksRobustly: true }; set => _rare = Seldom with { AsksRobustly = value }; }

    internal virtual bool NeedsAcknowledgement => false;

    /// <summary>Whether the handler may block the thread that calls it.</summary>
    internal virtual bool MayBlock => false;

    /// <summary>The connection that the request came over; <see langword="null"/> if it came in a datagram.</summary>
    internal virtual LaneChannel? Connection => null;

    /// <summary>What the message of the response may be.</summary>
    internal abstract MessageLimits ResponseLimits { get; }

    /// <summary>The bytes that may be sent in answer, counting all transmissions and the empty acknowledgement (RFC 9175, section 2.4).</summary>
    internal virtual int Allowance => int.MaxValue;

    private Rare Seldom => _rare ??= new Rare();

    // The request that was received. Its copies end together with it.
    private IncomingRequest Root => _rare?.Root ?? this;

    /// <summary>Returns the value of a query argument: "" for a name alone, <see langword="null"/> if the request has no such argument.</summary>
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

    /// <summary>Sends the empty acknowledgement now instead of after <see cref="CoapEndpointSettings.AcknowledgeAfter"/>: the handler will take its time.</summary>
    /// <remarks>Does nothing if no acknowledgement is due. May be called from any thread.</remarks>
    public abstract void Acknowledge();

    /// <summary>Returns the empty acknowledgement of the request.</summary>
    internal OutgoingMessage Acknowledgement() => Reactions.Acknowledge(Key, Message.MessageId) with { Ticket = Ticket };

    /// <summary>What deduplication remembers the message by.</summary>
    internal virtual Ticket Ticket => default;

    /// <summary>Returns the size of the message that would carry the response, in bytes.</summary>
    internal abstract int SizeOf(CoapResponse response);

    /// <summary>Sends the answer and ends the request.</summary>
    internal void Reply(in Answer answer, Output<OutgoingMessage> output)
    {
        if (End is not null) { return; }
        Send(answer, output);
        Finish(answer.Response.Code == ResponseCode.InternalServerError ? RequestEnd.Failed : answer.IsAcknowledged ? RequestEnd.AnsweredLater : RequestEnd.Answered);
    }

    /// <summary>Ends the request without a response, because the client or the protocol wants none.</summary>
    internal void Suppress(bool isAcknowledged, Output<OutgoingMessage> reactions, RetentionClass? retention = null)
    {
        if (End is not null) { return; }
        Settle(isAcknowledged, reactions, retention ?? RetentionClasses.Of(Method));
        Finish(RequestEnd.Suppressed);
    }

    /// <summary>Ends the request without a response, because something dropped it or its answer.</summary>
    /// <param name="wasHandled">Whether the handler has run, so that a duplicate must not run it again.</param>
    internal void Drop(bool wasHandled)
    {
        if (End is not null) { return; }
        if (Taker is { } taker) { taker.Take(Response.Overloaded); }      // the taker asks again later
        else if (Streamed is { } streamed) { streamed.End("A filter dropped the request."); }
        else { Forget(wasHandled); }
        Finish(RequestEnd.Dropped);
    }

    /// <summary>Returns the request with the whole body that its blocks make up.</summary>
    internal IncomingRequest WithBody(CoapMessage whole, Block1? lastBlock)
    {
        var copy = (IncomingRequest)MemberwiseClone();
        (copy.Message, copy._rare) = (whole, Seldom with { LastBlock = lastBlock, Root = Root });
        return copy;
    }

    /// <summary>Returns the request that a handler gets while the blocks of its body arrive.</summary>
    internal IncomingRequest WithStream(CoapMessage head, IStreamedBody streamed, Stream body)
    {
        var copy = (IncomingRequest)MemberwiseClone();
        (copy.Message, copy._rare) = (head, Seldom with { Streamed = streamed, Body = body, Root = null });
        return copy;
    }

    /// <summary>Returns the request without what its answer would say about the last block.</summary>
    internal IncomingRequest WithoutLastBlock()
    {
        if (LastBlock is null) { return this; }
        var copy = (IncomingRequest)MemberwiseClone();
        copy._rare = _rare! with { LastBlock = null };
        return copy;
    }

    /// <summary>Returns a request that asks the resource again on behalf of the endpoint itself.</summary>
    internal IncomingRequest AgainFor(IAnswerTaker taker) => Again(
        new CoapMessage
        {
            Type = MessageType.NonConfirmable,
            Code = Message.Code,
            MessageId = Message.MessageId,
            Token = Message.Token,
            Options = Message.Options,
            Payload = Message.Payload,
        },
        taker);

    /// <summary>Creates the request that <see cref="AgainFor"/> returns.</summary>
    private protected abstract IncomingRequest Again(CoapMessage message, IAnswerTaker taker);

    /// <summary>Sends the answer in the message that the transport wants.</summary>
    private protected abstract void Send(in Answer answer, Output<OutgoingMessage> output);

    /// <summary>Sends nothing but what the message layer still owes the peer.</summary>
    private protected abstract void Settle(bool isAcknowledged, Output<OutgoingMessage> reactions, RetentionClass retention);

    /// <summary>Forgets the request; a retransmission is new unless the handler has run.</summary>
    private protected abstract void Forget(bool wasHandled);

    /// <summary>Releases what the transport holds for the request, and counts its end.</summary>
    private protected abstract void Release(RequestEnd end);

    private void Finish(RequestEnd end)
    {
        Root._end = end;
        if (Taker is null && Streamed is null) { Release(end); }
    }

    private static MemoryStream StreamOf(ReadOnlyMemory<byte> payload) => MemoryMarshal.TryGetArray(payload, out var array)
        ? new MemoryStream(array.Array!, array.Offset, array.Count, writable: false)
        : new MemoryStream(payload.ToArray(), writable: false);

    // What few requests have, so that the others are not larger for it. Copies of a request do not share it.
    private sealed record Rare
    {
        public IncomingRequest? Root { get; init; }

        public Block1? LastBlock { get; init; }

        public IStreamedBody? Streamed { get; init; }

        public Stream? Body { get; set; }

        public bool AsksRobustly { get; init; }

        public IAnswerTaker? Taker { get; init; }

        public long ObservedVersion { get; init; }
    }
}
