using CoAP.Accounting;
using CoAP.Blockwise;
using CoAP.Lanes;
using CoAP.Reliability;
using CoAP.Vocabulary;

namespace CoAP.Exchanges;

/// <summary>A lane with its exchanges and channels.</summary>
internal abstract class ExchangeLane : Lane
{
    private const int MessageIdPeers = 65_536;

    private MessageIdTable? _messageIds;

    /// <param name="lane">The clock and the log.</param>
    /// <param name="settings">The settings of the exchanges.</param>
    /// <param name="ledger">The ledger of the endpoint.</param>
    /// <param name="isReliable">Whether the transport has neither message types nor message IDs (RFC 8323).</param>
    protected ExchangeLane(LaneSettings lane, ExchangeSettings settings, Ledger ledger, bool isReliable)
        : base(lane, new LaneCounters(isReliable ? LaneCounters.Codes : LaneCounters.TypesAndCodes)) =>
        (Settings, Ledger, Stopping, Events, IsReliable, Tokens, Cancellations) =
            (settings, ledger, lane.Stopping, lane.Events, isReliable, new TokenSource(lane.Runtime), new(lane.Log, lane.Runtime));

    /// <summary>The settings that the channels and exchanges of the lane share. Stages get theirs when they are created.</summary>
    public ExchangeSettings Settings { get; }

    /// <summary>The ledger of the endpoint: how much of each limit its peers hold.</summary>
    public Ledger Ledger { get; }

    /// <summary>Canceled when the endpoint stops.</summary>
    public CancellationToken Stopping { get; }

    /// <summary>Tells users which channels open and close; <see langword="null"/> if nobody can subscribe.</summary>
    public ChannelEvents? Events { get; }

    /// <summary>Whether the transport has neither message types nor message IDs (RFC 8323).</summary>
    public bool IsReliable { get; }

    /// <summary>The source of received frames.</summary>
    public Output<Frame> Incoming { get; } = new();

    /// <summary>The source of this endpoint's requests, before the window.</summary>
    public Output<OutgoingRequest> Asked { get; } = new();

    /// <summary>The source of this endpoint's requests that the limits of their channels allow.</summary>
    public Output<OutgoingRequest> Admitted { get; } = new();

    /// <summary>The source of the messages with this endpoint's requests, retransmissions included.</summary>
    public Output<OutgoingMessage> Requests { get; } = new();

    /// <summary>The source of delayed messages: empty acknowledgements, and retransmissions of separate responses.</summary>
    public Output<OutgoingMessage> LateMessages { get; } = new();

    /// <summary>The requests that wait for a response, and the messages that wait for an acknowledgement.</summary>
    public ExchangeTable Exchanges { get; } = new();

    /// <summary>The channels of this lane.</summary>
    public ChannelTable Channels { get; } = new();

    /// <summary>What follows the sessions with servers.</summary>
    public SessionFollowers SessionFollowers { get; } = new();

    public TokenSource Tokens { get; }

    /// <summary>Cancels the tokens of connections that have ended.</summary>
    public CancellationQueue Cancellations { get; }

    /// <summary>
    /// The message IDs of answers to peers without a channel object. Allocated on first use, because the table takes a megabyte and connections do
    /// not need it.
    /// </summary>
    public MessageIdTable MessageIds => _messageIds ??= new MessageIdTable(MessageIdPeers, HashKey);

    /// <summary>Chooses how requests transfer bodies that do not fit into a message.</summary>
    public IBodyTransfers Transfers { get; set; } = WholeMessages.Only;

    /// <summary>Returns the answers to a request over a channel of the lane that asks for many, in time. The mesh supplies it.</summary>
    public Func<ChannelHandle, CoapRequest, AnswerStream> Streams { get; set; } =
        static (_, _) => throw new NotSupportedException("The mesh of this lane does not observe.");

    /// <summary>The memory for the bodies of requests and responses; <see langword="null"/> before the stages of the lane are created.</summary>
    public BodyBudget? BodyBudget { get; set; }

    /// <summary>The state of features that a call from outside of the mesh needs. Stages get theirs when they are created.</summary>
    public FeatureSet<object> Features { get; } = new();

    /// <summary>Limits what is sent to unverified addresses; <see langword="null"/> if there is no limit.</summary>
    public IAddressVerification? Addresses { get; set; }

    /// <summary>
    /// Gets the largest message to a peer, given that to other peers; <see langword="null"/> if no stage limits messages.
    /// </summary>
    public Func<ChannelKey, int, int>? PeerLimit { get; set; }

    /// <summary>Whether messages to a peer wait for a handshake of a security layer; <see langword="null"/> if the lane has no such layer.</summary>
    public Func<ChannelKey, bool>? IsInHandshake { get; set; }

    /// <summary>The received requests that have left the mesh without an answer: a handler or a user's block has them, or their answer waits.</summary>
    public HashSet<IOpenRequest> OpenRequests { get; } = [];

    public override int PendingRequests => OpenRequests.Count;

    /// <summary>The request that the lane processes now; <see langword="null"/> if there is none. Logs name its resource if it blocks the lane.</summary>
    public IOpenRequest? Current { get; set; }

    /// <summary>Returns the error of a call that was in progress when the endpoint ended.</summary>
    public CoapTransportException EndError() => Settings.EndError();

    /// <summary>Whether no peer can start another request.</summary>
    public bool IsFull => IsDraining || Ledger.Requests.IsFull;

    protected override int Outstanding => Exchanges.Count;

    protected override void OnEnding()
    {
        foreach (var request in OpenRequests) { request.Lose(); }
        OpenRequests.Clear();
    }

    /// <summary>Takes a message ID for a message that is not a request; returns <see langword="false"/> if none is free.</summary>
    public bool TryNextMessageId(in ChannelKey key, out MessageId messageId)
    {
        if (!Channels.TryFind(key, out var channel))
        {
            var hash = HashOf(key);
            for (var tries = 0; tries <= ushort.MaxValue; tries++)
            {
                messageId = MessageIds.Next(hash);
                // Otherwise an acknowledgement of the one message would count for the other.
                if (!Exchanges.HasMessageId(messageId, key)) { return true; }
            }
            messageId = default;
        }
        else if (channel.TryNextMessageId(key, out messageId)) { return true; }
        Metrics[LaneCounters.WithoutMessageId]++;    // 65,536 messages to this peer are unacknowledged
        return false;
    }

    /// <summary>Records that nothing more is expected for a message, so that the quarantine of its ID begins.</summary>
    public void Settle(in ChannelKey key, MessageId messageId)
    {
        if (Channels.TryFind(key, out var channel)) { channel.Settle(key, messageId); }
    }

    /// <summary>Forgets a received message, so that a retransmission counts as new. Does nothing on connections.</summary>
    public virtual void Forget(Ticket ticket) { }

    /// <summary>Remembers a received message without an answer, so that its duplicates are dropped. Does nothing on connections.</summary>
    public virtual void Retain(in ChannelKey key, Ticket ticket, RetentionClass retention) { }

    /// <summary>Returns the account of a peer.</summary>
    public Account AccountOf(in PeerIdentity peer, PeerCredentials? credentials) =>
        Ledger.AccountOf(peer, credentials, IsReliable || credentials is not null || IsVerified(peer));

    /// <summary>Returns whether a stage has verified a message by itself, and not its connection or session.</summary>
    public bool HasCredentialsOfStage(in ReceivedMessage message) =>
        HasCredentialsOfStage(message.Key.Peer, message.Credentials) && message.Credentials != message.Frame.Link?.Credentials;

    /// <summary>Returns whether the credentials of datagrams from a peer are those of a stage, and not of its session.</summary>
    public bool HasCredentialsOfStage(in PeerIdentity peer, PeerCredentials? credentials) => credentials is not null && !IsOfSession(peer);

    /// <summary>Returns whether a peer is the session of a security layer.</summary>
    protected virtual bool IsOfSession(in PeerIdentity peer) => false;

    /// <summary>Returns whether the address of a peer cannot be forged. Called on the lane.</summary>
    public bool IsVerified(in PeerIdentity peer) => Addresses?.IsVerified(peer) != false;

    /// <summary>Returns whether the peer has proven its address; <see langword="false"/> if this lane verifies nobody. Called on the lane.</summary>
    public bool HasVerified(in PeerIdentity peer) => Addresses?.IsVerified(peer) == true;

    /// <summary>Returns the size of the largest message to a peer, in bytes. Called on the lane.</summary>
    public int MaxSendSizeTo(in ChannelKey peer) =>
        PeerLimit is { } limit ? Math.Min(limit(peer, Settings.MaxSendSize), Settings.MaxSendSize) : Settings.MaxSendSize;

    /// <summary>
    /// Returns the error of a request that does not fit into a message to its peer; <see langword="null"/> if it fits. On connections,
    /// the channel measures requests, because it knows the limit of its peer. Called on the lane.
    /// </summary>
    public CoapTransferException? FindTooLarge(in ChannelKey peer, long size) =>
        !IsReliable && size > MaxSendSizeTo(peer) ? TooLarge(peer, size) : null;

    /// <summary>Returns the error of a request that does not fit into a message to its peer. Called on the lane.</summary>
    public CoapTransferException TooLarge(in ChannelKey peer, long size) => new(
        $"The request is {size} bytes; at most {MaxSendSizeTo(peer)} bytes fit into a message to {peer.Peer} (MaxSendSize, or the limit that a stage has set with LimitMessages).");

    /// <summary>Returns whether messages to a peer wait for a handshake of a security layer. Called on the lane.</summary>
    public bool IsBeginning(in ChannelKey peer) => peer.Peer.Name is not null && IsInHandshake?.Invoke(peer) == true;

    /// <summary>Passes a request on along an arrow. If a stage of a package fails on it, the request ends.</summary>
    public void Pass(Output<OutgoingRequest> arrow, in OutgoingRequest request)
    {
        try { arrow.Emit(request); }
        catch (Exception exception)     // The edge to a package's stages.
        {
            Log.LaneWorkFailed(exception, typeof(OutgoingRequest));
            request.Sender.Fail(CoapTransportException.StageFailed("request to", request.Key.Peer, exception));
        }
    }

    /// <summary>Hands a frame to the transport.</summary>
    public abstract void Transmit(in Frame frame);

    /// <summary>
    /// Passes a message without a matching exchange to the next lane on the same port; returns <see langword="false"/> if all lanes have seen it.
    /// </summary>
    public virtual bool TryHandOver(in ReceivedMessage message) => false;
}
