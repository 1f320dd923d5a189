using System.Diagnostics;
using CoAP.Observing;
using CoAP.Options;

namespace CoAP;

/// <summary>An observation of a resource. Read its notifications with <c>await foreach</c> (RFC 7641).</summary>
/// <remarks>
/// <para>
/// An observation registers when you start to read it. You can read it once. Leaving the loop cancels the registration. The sequence contains
/// states, not events: a slow reader misses older states (see <see cref="ClientObservationSettings.MaxQueuedNotifications"/>).
/// </para>
/// <para>
/// The observation recovers by itself. It registers again when Max-Age has expired, after a failure, and on a new connection. If the first
/// registration fails, the body of the first notification cannot be fetched, or recovery is impossible, the reader gets the exception.
/// </para>
/// <para>
/// A response without an Observe option ends the observation (<see cref="ObservationEnd.NotObserved"/>). So does a response of class 4 or 5. The
/// reader gets this response as the last notification.
/// </para>
/// <para>Safe for concurrent use, except that there is one reader.</para>
/// </remarks>
public sealed class CoapObservation : IAsyncEnumerable<Notification>
{
    private readonly IRequestSender _sender;
    private readonly CancellationToken _cancellationToken;
    private readonly StateChangeNotifier _stateChanges;
    private readonly ObservationLink _link;
    private ReadingState _reading = new(ObservationState.Registering, null, null);      // counts while no client or channel of the library serves it
    private int _isRead;
    private bool _isLastAnError;

    internal CoapObservation(IRequestSender sender, CoapRequest request, CancellationToken cancellationToken, Token? token = null)
    {
        (_sender, _cancellationToken, _stateChanges) = (sender, cancellationToken, new StateChangeNotifier(this));
        _link = new ObservationLink(_stateChanges) { Request = Validate(request), Stored = token };
        Request = CoapRequest.AskingFor(AnswerShape.Observation, request, _link);
    }

    /// <summary>
    /// Raised on the thread pool after <see cref="State"/> has changed, one call at a time. States that follow each other quickly may be skipped.
    /// </summary>
    public event EventHandler StateChanged
    {
        add => _stateChanges.Handlers += value;
        remove => _stateChanges.Handlers -= value;
    }

    /// <summary>The request that registers the observation.</summary>
    public CoapRequest Request { get; }

    /// <summary>The current state of the observation.</summary>
    public ObservationState State => _link.Context?.Feed.State ?? _reading.State;

    /// <summary>The reason for the end; <see langword="null"/> while the observation has not ended.</summary>
    public ObservationEnd? EndReason => _link.Context is { } context ? context.Feed.EndReason : _reading.EndReason;

    /// <summary>
    /// The last failure, such as a failed registration, the end of a connection, or an exception of the store. It stays set after recovery.
    /// <see langword="null"/> if there was none.
    /// </summary>
    public Exception? LastError => _link.Context?.Feed.LastError ?? _reading.Error ?? _link.LastError;

    /// <summary>The number of notifications that newer ones replaced before the reader took them.</summary>
    public long Skipped => _link.Context?.Feed.Skipped ?? 0;

    /// <summary>The observation as it is served.</summary>
    /// <exception cref="InvalidOperationException">It has not begun, or a sender of the user's serves it.</exception>
    internal ObservationContext Context => _link.Context ?? throw new InvalidOperationException("The observation has not begun.");

    /// <summary>Registers and returns the notifications.</summary>
    /// <param name="cancellationToken">Cancels the observation, as does the token that the observation was created with.</param>
    /// <exception cref="InvalidOperationException">The observation has been read before.</exception>
    /// <exception cref="ArgumentException">The request has no absolute URI, and the sender is a client.</exception>
    /// <exception cref="NotSupportedException">The sender cannot observe.</exception>
    /// <exception cref="CoapTimeoutException">The server did not answer the first registration in time.</exception>
    /// <exception cref="CoapResetException">The peer rejected the first registration.</exception>
    /// <exception cref="CoapTransferException">The body of the first notification could not be fetched.</exception>
    /// <exception cref="CoapTransportException">The network failed, the client was disposed, or the server of the channel was stopped.</exception>
    /// <exception cref="OperationCanceledException">A token was canceled.</exception>
    public async IAsyncEnumerator<Notification> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        var begin = BeginReading();
        using var either = CancellationTokenSource.CreateLinkedTokenSource(_cancellationToken, cancellationToken, _link.Suspended);
        Answers? answers = null;
        try
        {
            answers = await AskAsync(either.Token).ConfigureAwait(false);
            while (answers is not null && await TakeAsync(answers, either.Token).ConfigureAwait(false) is { } answer)
            {
                yield return NotificationOf(answers, answer, begin);
            }
        }
        finally { EndReading(answers); }
    }

    /// <summary>
    /// Ends the reading, but keeps the registration at the server and in the store. A later run of the client can continue the observation.
    /// </summary>
    public void Suspend() => _link.Suspend();

    internal IEnumerator<Notification> GetBlockingEnumerator()
    {
        var begin = BeginReading();
        using var either = CancellationTokenSource.CreateLinkedTokenSource(_cancellationToken, _link.Suspended);
        Answers? answers = null;
        try
        {
            answers = Ask(either.Token);
            while (answers is not null && Take(answers, either.Token) is { } answer) { yield return NotificationOf(answers, answer, begin); }
        }
        finally { EndReading(answers); }
    }

    /// <summary>Returns the request if it can be observed.</summary>
    /// <exception cref="ArgumentException">The request cannot be observed.</exception>
    internal static CoapRequest Validate(CoapRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (!request.Method.IsSafe)
        {
            throw new ArgumentException(
                $"A {request.Method} request cannot be observed; only GET and FETCH requests can (RFC 8132, section 2.4).", nameof(request));
        }
        if (request.Options.Contains<Observe>())
        {
            throw new ArgumentException("The request has an Observe option. The observation sets this option itself.", nameof(request));
        }
        if (request.Body is null && request.ResponseBody is null && request.ResumeFrom is null) { return request; }
        throw new ArgumentException("A request to observe cannot have a Body, ResponseBody or ResumeFrom. Use Payload.", nameof(request));
    }

    private long BeginReading()
    {
        if (Interlocked.Exchange(ref _isRead, 1) != 0) { throw new InvalidOperationException("An observation can be read only once. Create a new one."); }
        return Stopwatch.GetTimestamp();
    }

    private async ValueTask<Answers?> AskAsync(CancellationToken cancellationToken)
    {
        try { return await _sender.AskAsync(Request, cancellationToken).ConfigureAwait(false) ?? throw ReturnedNull(); }
        catch (OperationCanceledException) when (_link.IsSuspended) { return null; }
        catch (Exception exception)
        {
            Fail(exception);
            throw;
        }
    }

    private Answers? Ask(CancellationToken cancellationToken)
    {
        try { return _sender.Ask(Request, cancellationToken) ?? throw ReturnedNull(); }
        catch (OperationCanceledException) when (_link.IsSuspended) { return null; }
        catch (Exception exception)
        {
            Fail(exception);
            throw;
        }
    }

    private async ValueTask<CoapResponse?> TakeAsync(Answers answers, CancellationToken cancellationToken)
    {
        try { return Last(await answers.NextAsync(cancellationToken).ConfigureAwait(false)); }
        catch (OperationCanceledException) when (_link.IsSuspended) { return null; }
        catch (Exception exception)
        {
            Fail(exception);
            throw;
        }
    }

    private CoapResponse? Take(Answers answers, CancellationToken cancellationToken)
    {
        try { return Last(answers.Next(cancellationToken)); }
        catch (OperationCanceledException) when (_link.IsSuspended) { return null; }
        catch (Exception exception)
        {
            Fail(exception);
            throw;
        }
    }

    // The answers of a sender of the user's end without a reason.
    private CoapResponse? Last(CoapResponse? answer)
    {
        if (answer is null) { Report(ObservationState.Ended, _isLastAnError ? ObservationEnd.ErrorResponse : ObservationEnd.NotObserved); }
        else { _isLastAnError = !answer.IsSuccess; }
        return answer;
    }

    private Notification NotificationOf(Answers answers, CoapResponse answer, long begin)
    {
        Report(ObservationState.Active);
        return answers.Newest is { } newest && ReferenceEquals(newest.Response, answer)
            ? newest
            : new(answer, answer.Options.Get<Observe>()?.Value, Stopwatch.GetElapsedTime(begin), skipped: 0);
    }

    private void Fail(Exception error)
    {
        var reason = error is OperationCanceledException ? ObservationEnd.Canceled : ObservationEnd.Failed;
        if (_link.Context is { } context) { context.Feed.End(reason, reason == ObservationEnd.Failed ? error : null); }
        Report(ObservationState.Ended, reason, reason == ObservationEnd.Failed ? error : null);
    }

    // What serves the observation ends with the reading, even if a step has dropped its answers.
    private void EndReading(Answers? answers)
    {
        Report(ObservationState.Ended, _link.IsSuspended ? ObservationEnd.Suspended : ObservationEnd.Canceled);
        _link.End(_reading.EndReason ?? ObservationEnd.Canceled);
        answers?.Dispose();
    }

    private InvalidOperationException ReturnedNull() =>
        new($"{_sender.GetType().Name} returned null. Return Answers.Of(responses) or Answers.None from AskAsync and Ask.");

    // A client or channel of the library reports the state itself.
    private void Report(ObservationState state, ObservationEnd? end = null, Exception? error = null)
    {
        if (_link.Context is not null || _reading.State is ObservationState.Ended || _reading.State == state) { return; }
        _reading = new(state, end, error);
        _stateChanges.Changed();
    }

    private sealed record ReadingState(ObservationState State, ObservationEnd? EndReason, Exception? Error);
}
