using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;

namespace CoAP.Discovery;

/// <summary>
/// Fetches what members of a group have not sent by multicast: the rest of a large answer, or an answer after a challenge. The rest comes
/// by unicast (RFC 7959, section 2.8; RFC 9175, section 2.4).
/// </summary>
/// <remarks>
/// Any host may answer for a group and then be silent. So rests are fetched at the same time, a bounded number of them, none takes longer
/// than the listening time, and all end one listening time after the last answer. A rest that fails or is late is skipped. One reader.
/// </remarks>
internal sealed class MemberRests : IDisposable
{
    /// <summary>The most rests that are fetched, or wait for the reader, at the same time.</summary>
    public const int MaxFetches = 32;

    // Further ones are skipped.
    private const int MaxWaiting = 1024;

    private static readonly ulong EchoBit = OptionNumber.SeenBit(Echo.Declaration.Number);
    private static readonly ulong Block2Bit = OptionNumber.SeenBit(Block2.Declaration.Number);

    private readonly IRequestSender _sender;
    private readonly ILogger _logger;
    private readonly CoapRequest _request;
    private readonly TimeSpan _listenFor;
    private readonly ResponseQueue _whole;
    private readonly Queue<CoapResponse> _waiting = new();
    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private readonly long _startedAt;
    private readonly CancellationToken _canceled, _ended;
    private readonly CancellationTokenSource _ending;
    private int _places, _skipped;
    private bool _isLast;

    /// <param name="sender">Fetches the rests.</param>
    /// <param name="environment">The clock, log and runtime.</param>
    /// <param name="request">The request to the group.</param>
    /// <param name="listenFor">The listening time.</param>
    /// <param name="cancellationToken">Ends all fetches.</param>
    public MemberRests(
        IRequestSender sender, SenderEnvironment environment, CoapRequest request, TimeSpan listenFor, CancellationToken cancellationToken)
    {
        (_sender, _logger, _time) = (sender, environment.Logger, environment.Time);
        (_request, _listenFor, _canceled) = (request, listenFor, cancellationToken);
        _whole = new ResponseQueue(int.MaxValue, environment.Runtime);
        _startedAt = _time.GetTimestamp();
        _ending = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        _ended = _ending.Token;
    }

    /// <summary>Whether the member has more to send than this answer.</summary>
    public static bool IsPart(CoapResponse answer) => answer.Code == ResponseCode.Unauthorized
        ? (answer.Options.Seen & EchoBit) != 0
        : (answer.Options.Seen & Block2Bit) != 0 && answer.Options.Get<Block2>() is { HasMore: true };

    /// <summary>Returns the URI of a member. Its links are relative to it, and not to that of the group (RFC 7252, section 8.2).</summary>
    public static CoapUri UriOf(in PeerIdentity member) => member.ToIPEndPoint() is { } at
        ? CoapUri.FromOptions(CoapScheme.Coap, default(OptionSet), at.Address, at.Port)
        : CoapUri.Parse($"coap://{member}");

    /// <summary>Begins to fetch the rest of an answer.</summary>
    public void Add(CoapResponse first)
    {
        lock (_gate)
        {
            if (_waiting.Count < MaxWaiting) { _waiting.Enqueue(first); }
            else { _skipped++; }
        }
        BeginWaiting();
    }

    /// <summary>Takes a whole answer without a wait. Returns <see langword="null"/> if there is none.</summary>
    public CoapResponse? TakeNow() => Taken(_whole.TakeNow());

    /// <summary>Waits for the next whole answer after the last answer of the group. Returns <see langword="null"/> at the end.</summary>
    public async ValueTask<CoapResponse?> TakeAsync()
    {
        EndAdding();
        return Taken(await _whole.TakeAsync(_canceled).ConfigureAwait(false));
    }

    /// <summary>Waits like <see cref="TakeAsync"/>. Blocks the calling thread.</summary>
    public CoapResponse? Take()
    {
        EndAdding();
        return Taken(_whole.Take(_canceled));
    }

    public void Dispose()
    {
        var skipped = Volatile.Read(ref _skipped);     // not those that end because the reader leaves
        _ending.Cancel();
        _ending.Dispose();
        if (skipped > 0 && !_canceled.IsCancellationRequested) { Log.MembersSkipped(_logger, skipped); }
    }

    private void EndAdding()
    {
        lock (_gate) { _isLast = true; }
        BeginWaiting();
    }

    private CoapResponse? Taken(CoapResponse? whole)
    {
        if (whole is null) { return null; }
        lock (_gate) { _places--; }
        BeginWaiting();
        return whole;
    }

    // A rest keeps its place until the reader has taken it. So a slow reader holds no more bodies than places.
    private void BeginWaiting()
    {
        while (TryEnter(out var first)) { _ = FetchAsync(first); }
    }

    private bool TryEnter(out CoapResponse first)
    {
        lock (_gate)
        {
            if (_places < MaxFetches && _waiting.TryDequeue(out first!))
            {
                _places++;
                return true;
            }
            first = null!;
            if (_isLast && _places == 0) { _whole.Complete(); }
            return false;
        }
    }

    private async Task FetchAsync(CoapResponse? first)
    {
        try
        {
            for (; first is not null; first = NextAfterFailure())
            {
                if (await TryFetchAsync(first).ConfigureAwait(false) is not { } whole) { continue; }
                _whole.TryAdd(whole);
                return;
            }
        }
        catch (Exception exception) // Nobody awaits the fetches, so the reader gets what they throw.
        {
            _whole.Complete(exception);
        }
    }

    // The next rest takes the place of the one that failed.
    private CoapResponse? NextAfterFailure()
    {
        lock (_gate)
        {
            _skipped++;
            if (_waiting.TryDequeue(out var next)) { return next; }
            _places--;
            if (_isLast && _places == 0) { _whole.Complete(); }
            return null;
        }
    }

    private async ValueTask<CoapResponse?> TryFetchAsync(CoapResponse first)
    {
        var left = _listenFor + _listenFor - _time.GetElapsedTime(_startedAt);
        if (left <= TimeSpan.Zero) { return null; }
        var rest = new CoapRequest(_request.Method, UriOf(first.Remote).Resolve(LinkFormat.WellKnownPath).ToString())
        {
            Options = first.Options.Get<Echo>() is { } echo ? _request.Options.With(echo) : _request.Options,
            Timeout = left < _listenFor ? left : _listenFor,
        };
        try { return await _sender.SendAsync(rest, _ended).ConfigureAwait(false); }
        catch (Exception exception) when (exception is CoapException or OperationCanceledException)
        {
            return null;    // the links of the other members still count
        }
    }
}
