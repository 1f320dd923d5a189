using System.Net.Sockets;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Transports;

namespace CoAP.Groups;

/// <summary>One request to a group, and the wait for its responses (RFC 7252, section 8).</summary>
/// <remarks>
/// The caller's thread creates the request and hands it to the lane through the inbox. From then on it belongs to the lane. Another thread
/// reads <see cref="Answers"/>.
/// <code>
/// New ──Submit──► Listening ──ListenFor, or the reader leaves──► Closed (drops late responses) ──TokenLifetime──► removed
/// </code>
/// </remarks>
internal sealed class GroupRequest : LaneWork, IMovableDeadline, IAskedMessage, ITokenOwner, IDisposable
{
    private readonly ExchangeLane _lane;
    private readonly GroupRequestTable _requests;
    private readonly CoapRequest _request;
    private readonly OptionSet _options;
    private readonly MulticastRequestSettings _settings;
    private readonly GroupPath[] _paths;
    private readonly HashSet<PeerIdentity> _members = [];
    private long _startedAt;
    private int _failures;
    private bool _isListening;

    /// <param name="lane">The lane that sends the request.</param>
    /// <param name="requests">The multicast requests of the lane.</param>
    /// <param name="key">The group, and the local address that sends the request.</param>
    /// <param name="request">The request.</param>
    /// <param name="options">All options of the request, including those of the URI.</param>
    /// <param name="settings">How the request is sent and how long it lasts.</param>
    /// <param name="interfaces">The indexes of the interfaces that send the request.</param>
    public GroupRequest(
        ExchangeLane lane, GroupRequestTable requests, in ChannelKey key, CoapRequest request, OptionSet options, MulticastRequestSettings settings,
        IReadOnlyList<int> interfaces)
    {
        (_lane, _requests, Key, _request, _settings) = (lane, requests, key, request, settings);
        var room = lane.Settings.MaxSendSize - (int)MessageLimits.SizeOf(options, request.Payload.Length, isReliable: false) + options.Wire.Length;
        _options = CoapTracing.CarryCurrent(options, lane.Settings.Telemetry, room);
        _paths = [.. interfaces.Select(index => new GroupPath(index, settings.HopLimit, settings.AllowsLoopback, OnSent))];
        Answers = new ResponseQueue(settings.MaxQueuedAnswers, lane.Runtime);
    }

    public ChannelKey Key { get; }

    CoapCode IAskedMessage.Method => _request.Method;

    public Token Token { get; private set; }

    public MessageId MessageId { get; private set; }

    public ResponseQueue Answers { get; }

    public long Deadline { get; set; }

    public int QueueIndex { get; set; }

    public override void Run()
    {
        if (Answers.IsClosed) { return; }
        if (_lane.FindTooLarge(Key, MessageLimits.SizeOf(_options, _request.Payload.Length, isReliable: false)) is { } tooLarge)
        {
            Answers.Complete(tooLarge);
            return;
        }
        _lane.WakeAt(this, _lane.Now + _settings.ListenFor.Ticks);     // also if a stage holds the request
        _lane.Pass(_lane.Asked, new OutgoingRequest(this, _options, _request.Payload));
    }

    public void Submit(in OutgoingRequest request)
    {
        if (Answers.IsClosed || Answers.IsEnded || _isListening) { return; }
        Token = _lane.Tokens.Next();
        if (_requests.Add(this, out var messageId) is { } busy)
        {
            Answers.Complete(busy);
            return;
        }
        MessageId = messageId;
        (_startedAt, _isListening) = (_lane.Now, true);
        _lane.WakeAt(this, _startedAt + _settings.ListenFor.Ticks);
        _lane.Pass(_lane.Admitted, request);
    }

    public void Send(in OutgoingRequest request)
    {
        if (!_isListening) { return; }      // the reader has left while a stage held the request
        var message = new CoapMessage(MessageType.NonConfirmable, request.Method, MessageId, Token, request.Options, request.Payload);
        foreach (var path in _paths) { _lane.Requests.Emit(new OutgoingMessage(Key, message) { Group = path }); }
    }

    public override void Abandon() => Answers.Complete(_lane.EndError());

    void ILaneDeadline.OnLaneEnded() => Abandon();

    /// <summary>Processes a response of a member, which may respond more than once. Duplicate messages have been removed before.</summary>
    public void Complete(CoapMessage response, in ChannelKey from)
    {
        if (!_isListening)
        {
            _lane.Metrics[LaneCounters.Unmatched]++;
            return;
        }
        // Any host on the network may fill the queue. Then only members that have not answered yet get the rest of it.
        var isFirst = _members.Count <= _settings.MaxQueuedAnswers && _members.Add(from.Peer);
        if (!isFirst && Answers.Count >= _settings.MaxQueuedAnswers / 2)
        {
            _lane.Metrics[LaneCounters.DroppedGroupAnswers]++;
            return;
        }
        var isTaken = Answers.TryAdd(new CoapResponse(response.Code, response.Options, response.Payload)
        {
            Remote = from.Peer,
            Asked = _request,
            RoundTripTime = TimeSpan.FromTicks(_lane.Now - _startedAt),
        });
        if (isTaken) { return; }
        _lane.Metrics[LaneCounters.DroppedGroupAnswers]++;
        Fail(new CoapBusyException(
            $"{_settings.MaxQueuedAnswers} responses of the group {Key.Peer} wait for their reader, and the next one has no room "
            + "(MulticastRequestSettings.MaxQueuedAnswers)."));
    }

    public void Fail(Exception error)
    {
        Answers.Complete(error);
        StopListening();
    }

    /// <summary>Stops the wait because the reader has left. Called on any thread.</summary>
    public void Dispose()
    {
        if (Answers.TryClose()) { _lane.Post(new LaneAction(StopListening)); }
    }

    public void OnDeadline()
    {
        if (_isListening) { StopListening(); }
        else if (Token.IsEmpty) { Answers.Complete(); }
        else { _requests.Remove(this); }
    }

    private void StopListening()
    {
        if (!_isListening) { return; }
        _isListening = false;
        _requests.Close();
        Answers.Complete();
        _lane.WakeAt(this, Math.Max(_lane.Now, _startedAt + _settings.TokenLifetime.Ticks));
    }

    private void OnSent(GroupPath path, SocketError error)
    {
        if (error == SocketError.Success || ++_failures < _paths.Length) { return; }
        var cause = new SocketException((int)error);
        Fail(new CoapTransportException($"The request to the group {Key.Peer} could not be sent: {cause.Message}.", cause));
    }
}
