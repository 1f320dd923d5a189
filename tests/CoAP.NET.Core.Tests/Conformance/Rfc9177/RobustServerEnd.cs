using CoAP.Blockwise;
using CoAP.Options;

namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>A server with one resource: collects a body, answers with a body or a code, and notifies.</summary>
internal sealed class RobustServerEnd(byte[]? answer = null, byte tag = 19, uint? observe = null, RobustTransferSettings? settings = null, double chance = 0)
    : IRobustEnd
{
    private readonly RobustTransferSettings _settings = settings ?? RobustTransferSettings.Default;
    private readonly Queue<RobustPart> _answers = [];
    private RobustUploadServer? _collection;
    private RobustDownloadServer? _serving;
    private Token _token;
    private byte _tag = tag;
    private uint? _observe = observe;
    private RobustPart? _final;

    public List<byte[]> Bodies { get; } = [];

    public CoapCode? RejectedWith { get; private set; }

    public bool HasGivenUp => _collection is { HasTimedOut: true };

    public bool IsIdle => _serving is null or { IsOver: true } && _answers.Count == 0;

    public long Deadline => Math.Min(_collection?.Deadline ?? long.MaxValue, _serving?.Deadline ?? long.MaxValue);

    public void Notify(byte[] body, byte tag, uint observe, long now)
    {
        (_tag, _observe) = (tag, observe);
        Serve(body, now);
    }

    public IEnumerable<RobustPart> Poll(long now)
    {
        while (_answers.TryDequeue(out var part)) { yield return part; }
        while (_collection is not null && _collection.TryNext(now, out var part)) { yield return part; }
        while (_serving is not null && _serving.TryNext(now, out var part)) { yield return part; }
    }

    public void Receive(CoapMessage message, long now)
    {
        if (RobustRules.Refusal(message.Options) is { } refusal) { Reject(message, refusal); }
        else if (message.Options.Contains<QBlock1>()) { Collect(message, now); }
        else if (message.Options.Get<QBlock2>() is { BlockNumber: 0, HasMore: true }) { Begin(message.Token, now); }
        else if (_serving?.OnRequest(message, now) is { IsRejected: true } rejected) { Reject(message, rejected.Code); }
    }

    private void Collect(CoapMessage message, long now)
    {
        if (_final is { } final)
        {
            _answers.Enqueue(final with { Token = message.Token });
            return;
        }
        if (Bodies.Count > 0)
        {
            _serving!.Remind(message.Token, now);
            return;
        }
        _collection ??= new RobustUploadServer(_settings, 1 << 22, probingRate: 1, now);
        var outcome = _collection.OnRequest(message, now);
        if (outcome.IsRejected) { Reject(message, outcome.Code); }
        if (!outcome.IsComplete) { return; }
        Bodies.Add(_collection.Take());
        if (answer is not null)
        {
            Begin(_collection.LastToken, now);
            return;
        }
        _final = new RobustPart(ResponseCode.Changed, _collection.LastToken, default, default);
        _answers.Enqueue(_final.Value);
    }

    private void Begin(Token token, long now)
    {
        _token = token;
        Serve(answer!, now);
    }

    private void Serve(byte[] body, long now)
    {
        OptionSet options = [new ETag(new[] { _tag })];
        if (_observe is { } value) { options = options.With(new Observe(value)); }
        _serving = new RobustDownloadServer(ResponseCode.Content, options, body, BlockSize.Largest, _token, _settings, now, chance);
    }

    private void Reject(CoapMessage message, CoapCode code)
    {
        RejectedWith = code;
        _answers.Enqueue(new RobustPart(code, message.Token, default, default));
    }
}
