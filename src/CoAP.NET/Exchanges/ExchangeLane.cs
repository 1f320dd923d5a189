using CoAP.Lanes;
using CoAP.Reliability;

namespace CoAP.Exchanges;

/// <summary>A lane together with the exchanges and channels that live on it.</summary>
internal abstract class ExchangeLane : Lane
{
    private const int MessageIdPeers = 65_536;

    private MessageIdTable? _messageIds;

    /// <param name="lane">The clock and the log.</param>
    /// <param name="settings">What the exchanges depend on.</param>
    /// <param name="isReliable">Whether the transport has neither message types nor message IDs (RFC 8323).</param>
    protected ExchangeLane(LaneSettings lane, ExchangeSettings settings, bool isReliable)
        : base(lane, new LaneMetrics(isReliable ? LaneMetrics.Codes : LaneMetrics.TypesAndCodes)) =>
        (Settings, IsReliable) = (settings, isReliable);

    public ExchangeSettings Settings { get; }

    /// <summary>Whether the transport has neither message types nor message IDs (RFC 8323).</summary>
    public bool IsReliable { get; }

    /// <summary>The source of received frames.</summary>
    public Output<Frame> Incoming { get; } = new();

    /// <summary>The source of this endpoint's requests and of their retransmissions.</summary>
    public Output<OutgoingMessage> Requests { get; } = new();

    /// <summary>The source of empty acknowledgements and separate responses that are sent when their time has come.</summary>
    public Output<OutgoingMessage> LateMessages { get; } = new();

    /// <summary>The requests that wait for a response, and the messages that wait for an acknowledgement.</summary>
    public ExchangeTable Exchanges { get; } = new();

    /// <summary>The peers of this lane that have an object.</summary>
    public ChannelTable Channels { get; } = new();

    public TokenSource Tokens { get; } = new();

    /// <summary>The message IDs of answers to peers without an object. Allocated on first use: it takes a megabyte, which connections do not need.</summary>
    public MessageIdTable MessageIds => _messageIds ??= new MessageIdTable(MessageIdPeers, HashKey);

    /// <summary>The ways in which requests transfer bodies that do not fit into a message.</summary>
    public IBodyTransfers Transfers { get; set; } = WholeMessages.Only;

    /// <summary>What features keep on this lane.</summary>
    public FeatureSet Features { get; } = new();

    /// <summary>What may be sent to addresses that may be forged; <see langword="null"/> if nothing is limited.</summary>
    public IAddressVerification? Addresses { get; set; }

    /// <summary>Whether there is no room for one more request.</summary>
    public bool IsFull => IsDraining || PendingRequests >= Settings.MaxPendingRequests;

    protected override int Outstanding => Exchanges.Count;

    /// <summary>Draws a message ID for a message to the peer that is no request; returns <see langword="false"/> if none is free.</summary>
    public bool TryNextMessageId(in ChannelKey key, out MessageId messageId)
    {
        if (!Channels.TryFind(key, out var channel))
        {
            messageId = MessageIds.Next(HashOf(key));
            return true;
        }
        if (channel.TryNextMessageId(out messageId)) { return true; }
        Metrics.DroppedForOverload++;  // 65,536 messages to this peer are unsettled
        return false;
    }

    /// <summary>Hands a frame to the transport.</summary>
    public abstract void Transmit(in Frame frame);

    /// <summary>Gives a message that belongs to nothing here to the next lane on the same port; returns <see langword="false"/> if all have seen it.</summary>
    public virtual bool TryHandOver(in ReceivedMessage message) => false;
}
