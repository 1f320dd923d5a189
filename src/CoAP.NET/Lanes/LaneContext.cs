using System.Buffers.Binary;
using System.Security.Cryptography;
using CoAP.Blocks;
using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Freshness;
using CoAP.Groups;
using CoAP.Reliability;
using Microsoft.Extensions.Logging;

namespace CoAP.Lanes;

/// <summary>What a lane offers to the handlers and channels that live on it. Everything but <see cref="Post"/> is for the lane's own thread.</summary>
internal abstract class LaneContext(CoapEndpointSettings settings, bool isReliable)
{
    /// <summary>The time of this turn, monotonic, in ticks of 100 ns.</summary>
    public long Now { get; protected set; }

    public CoapEndpointSettings Settings => settings;

    public ILogger Logger { get; } = settings.LoggerFactory.CreateLogger("CoAP");

    /// <summary>The arrow to the serializer.</summary>
    public Output<OutgoingMessage> Outgoing { get; } = new();

    /// <summary>The requests that wait for a response, and the messages that wait for an acknowledgement.</summary>
    public ExchangeTable Exchanges { get; } = new();

    /// <summary>The request bodies that are on their way in blocks.</summary>
    public RequestTags RequestTags { get; } = new();

    /// <summary>The multicast requests that wait for responses.</summary>
    public GroupRequests Groups { get; } = new(settings);

    /// <summary>The peers of this lane that have an object.</summary>
    public ChannelTable Channels { get; } = new();

    /// <summary>Message IDs of answers to peers without an object.</summary>
    public abstract MessageIdTable MessageIds { get; }

    /// <summary>Whether its transport has neither message types nor message IDs (RFC 8323).</summary>
    public bool IsReliable => isReliable;

    /// <summary>Secret, so that nobody can aim at a place in a table.</summary>
    public ulong HashKey { get; } = BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(sizeof(ulong)));

    public LaneMetrics Metrics { get; } = new(isReliable ? LaneMetrics.Codes : LaneMetrics.TypesAndCodes);

    public TokenSource Tokens { get; } = new();

    /// <summary>What may be sent to whom; absent where the transport is reliable or nothing is served, and nothing limited.</summary>
    public AddressVerification? Addresses { get; set; }

    /// <summary>What was received before; absent where the transport is reliable.</summary>
    public virtual Deduplication? Deduplication => null;

    /// <summary>The timestamp that <see cref="Now"/> counts from.</summary>
    public long Origin { get; protected init; }

    /// <summary>Chance that need not be secret: time-outs and delays.</summary>
    public Random Random { get; init; } = new();

    /// <summary>Received requests without an answer.</summary>
    public int PendingRequests { get; set; }

    /// <summary>Whether the endpoint ends: requests that come now are not taken.</summary>
    public bool IsDraining { get; protected set; }

    /// <summary>Whether there is no room for one more request.</summary>
    public bool IsFull => IsDraining || PendingRequests >= Settings.MaxPendingRequests;

    /// <summary>Whether the lane has taken its last turn: nothing is sent any more.</summary>
    public abstract bool HasEnded { get; }

    /// <summary>Whether the calling thread gives the lane its turn right now.</summary>
    public abstract bool IsOwnedByCaller { get; }

    /// <exception cref="InvalidOperationException">The caller is the lane itself, which would wait for itself for ever.</exception>
    public void ThrowIfOwnedByCaller()
    {
        if (IsOwnedByCaller)
        {
            throw new InvalidOperationException(
                "A handler that runs inline or on the thread of its connection may not block its own lane: call SendAsync, or map the handler with HandlerMode.Buffered. On a connection with a thread of its own only SendAsync helps.");
        }
    }

    /// <summary>Tells a caller of its response at the end of the turn, when everything was sent: callers that wake earlier would only come in between.</summary>
    public abstract void TellLater(PendingResponse caller);

    /// <summary>Adds to the inbox and wakes the lane. Any thread.</summary>
    public abstract void Post(LaneWork work);

    /// <summary>The same for a request of the calling thread, which does it itself where nothing is under way on the lane: the lane need not wake to send it.</summary>
    public virtual void PostRequest(LaneWork work) => Post(work);

    /// <summary>Disposes of a part when the lane ends. While the lane is wired.</summary>
    public abstract void Own(IDisposable part);

    /// <summary>Gives a message that belongs to nothing here to the next lane on the same port; <see langword="false"/> if all have seen it.</summary>
    public virtual bool TryHandOver(in ReceivedMessage message) => false;

    /// <summary>Wakes the item at its deadline; an item that stands in the queue already is moved.</summary>
    public abstract void Schedule(ILaneDeadline item);

    /// <summary>Takes the item out of the queue, if it stands in it.</summary>
    public abstract void Unschedule(ILaneDeadline item);

    public ulong HashOf(in ChannelKey key) => key.Peer.Hash(HashKey ^ (uint)key.Local.Port);

    /// <summary>
    /// The bytes that may be sent in answer to a request, all transmissions and its empty acknowledgement included;
    /// <see cref="int.MaxValue"/> where the peer's address is verified or the transport reliable.
    /// </summary>
    public int AllowanceFor(ReceivedRequest request) =>
        request.IsReliable || Addresses is null ? int.MaxValue : Addresses.AllowanceFor(request.Peer, request.DatagramLength);

    public void Send(in OutgoingMessage message) => Outgoing.Emit(message);
}
