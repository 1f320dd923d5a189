using CoAP.Blockwise;
using CoAP.Options;

namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>A client with one request: its body up, the response's body down, and notifications after that.</summary>
internal sealed class RobustClientEnd : IRobustEnd
{
    private readonly OptionSet _options;
    private readonly TokenSeries _tokens = new(0x1234_5678_9ABC_DEF0);
    private readonly RobustTransferSettings _settings;
    private readonly CoapCode _method;
    private readonly RobustUploadClient? _upload;
    private RobustDownloadClient? _download;

    public RobustClientEnd(CoapCode method, byte[]? body, byte tag = 9, bool observe = false, RobustTransferSettings? settings = null, double chance = 0)
    {
        (_method, _settings) = (method, settings ?? RobustTransferSettings.Default);
        _options = [new UriPath("path")];
        if (observe) { _options = _options.With(new Observe(0)); }
        if (body is null) { _download = Download(); }
        else
        {
            _upload = new RobustUploadClient(method, _options, new[] { tag }, body, BlockSize.Largest, _tokens, _settings, 0, chance);
            _options = _options.With(new RequestTag(new[] { tag }));
        }
    }

    /// <summary>What came of the request, and of each notification.</summary>
    public List<(RobustOutcome Outcome, byte[] Body)> Results { get; } = [];

    public bool HasTimedOut => _upload is { HasTimedOut: true } || _download is { HasTimedOut: true };

    public long Deadline => Math.Min(_upload?.Deadline ?? long.MaxValue, _download?.Deadline ?? long.MaxValue);

    public IEnumerable<RobustPart> Poll(long now)
    {
        while (_upload is not null && _upload.TryNext(now, out var part)) { yield return part; }
        while (_download is not null && _download.TryNext(now, out var part)) { yield return part; }
    }

    public void Receive(CoapMessage message, long now)
    {
        if (!_tokens.Contains(message.Token)) { throw new InvalidOperationException($"A response with the token {message.Token}, which nobody gave out."); }
        if (_upload is not null && _download is null)
        {
            var sent = _upload.OnResponse(message, now);
            if (sent.IsContinue) { return; }
            _download = Download(now);
            _download.Begin();
        }
        else if (_download!.Deadline == long.MaxValue && message.Options.Contains<Observe>())
        {
            _download = Download(now);
            _download.Begin();
        }
        if (_download.OnResponse(message, now) is { IsContinue: false } outcome) { Results.Add((outcome, _download.Body.ToArray())); }
    }

    private RobustDownloadClient Download(long now = 0) =>
        new(_method, _options, default, BlockSize.Largest, 1 << 22, probingRate: 1, _tokens, _settings, now);
}
