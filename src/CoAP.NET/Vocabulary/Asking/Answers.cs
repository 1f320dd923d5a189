namespace CoAP;

/// <summary>The answers to one request, in the order of their arrival: one, many or none (see <see cref="AnswerShape"/>).</summary>
/// <remarks>
/// There is one reader, which takes the answers with <see cref="NextAsync"/>, <see cref="Next"/>, <c>await foreach</c>, or <c>foreach</c> over <see cref="Blocking"/>.
/// <see cref="Dispose"/> ends the request: it cancels an observation and the wait for a group. A step may return answers of its own class.
/// </remarks>
public abstract class Answers : IAsyncEnumerable<CoapResponse>, IDisposable
{
    /// <summary>No answers.</summary>
    public static Answers None { get; } = new KnownAnswers([], isAcknowledged: false);

    /// <summary>The first answer; <see langword="null"/> if there is none. It does not change when answers are taken.</summary>
    public abstract CoapResponse? First { get; }

    /// <summary>
    /// Whether the peer has confirmed that it received the request. Usually <see langword="false"/> if no answer has come.
    /// </summary>
    public virtual bool IsAcknowledged => First is not null;

    /// <summary>No answers to a request that the peer has acknowledged.</summary>
    public static Answers Acknowledged { get; } = new KnownAnswers([], isAcknowledged: true);

    /// <summary>
    /// The answer that was taken last, as a notification with its facts. Default: <see langword="null"/>, the reader of an observation measures
    /// them. A class that wraps answers returns that of the inner ones.
    /// </summary>
    public virtual Notification? Newest => null;

    /// <summary>Returns one answer.</summary>
    /// <param name="response">The answer.</param>
    public static Answers Of(CoapResponse response)
    {
        ArgumentNullException.ThrowIfNull(response);
        return new KnownAnswers([response], isAcknowledged: true);
    }

    /// <summary>Returns answers that are known, such as those of a test. They have one reader, so create new ones for each request.</summary>
    /// <param name="responses">The answers.</param>
    public static Answers Of(params IReadOnlyList<CoapResponse> responses)
    {
        ArgumentNullException.ThrowIfNull(responses);
        return new KnownAnswers([.. responses], isAcknowledged: responses.Count > 0);
    }

    /// <summary>Waits for the next answer and takes it. Returns <see langword="null"/> at the end.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="CoapException">The request failed.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was canceled.</exception>
    public abstract ValueTask<CoapResponse?> NextAsync(CancellationToken cancellationToken = default);

    /// <summary>Waits for the next answer and takes it. Returns <see langword="null"/> at the end. Blocks the calling thread.</summary>
    /// <inheritdoc cref="NextAsync" path="/param|/exception"/>
    public abstract CoapResponse? Next(CancellationToken cancellationToken = default);

    /// <summary>Ends the request, because no more answers are wanted. Does not block.</summary>
    public abstract void Dispose();

    /// <summary>Returns the same answers, each changed or recorded by a function.</summary>
    /// <param name="change">
    /// Takes an answer and returns it, or another one. Called once for each answer, when it is taken or when <see cref="First"/> is read.
    /// </param>
    public Answers Map(Func<CoapResponse, CoapResponse> change)
    {
        ArgumentNullException.ThrowIfNull(change);
        return new MappedAnswers(this, change);
    }

    /// <summary>Returns the answers that have not been taken, and ends the request when the enumerator is disposed of.</summary>
    /// <inheritdoc cref="NextAsync" path="/param|/exception"/>
    public async IAsyncEnumerator<CoapResponse> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        using (this)
        {
            while (await NextAsync(cancellationToken).ConfigureAwait(false) is { } answer) { yield return answer; }
        }
    }

    /// <summary>
    /// Returns the answers that have not been taken, and ends the request when the enumerator is disposed of. The enumerator blocks the calling
    /// thread.
    /// </summary>
    /// <inheritdoc cref="NextAsync" path="/param|/exception"/>
    public IEnumerable<CoapResponse> Blocking(CancellationToken cancellationToken = default)
    {
        using (this)
        {
            while (Next(cancellationToken) is { } answer) { yield return answer; }
        }
    }

    /// <summary>Returns the one answer of a call.</summary>
    /// <exception cref="InvalidOperationException">A step or a sender returned no answer.</exception>
    internal CoapResponse Only(CoapRequest request) => First ?? throw new InvalidOperationException(
        $"A step or sender returned no answer to {request.Describe()}, which asks for one. Return Answers.Of(response), or throw.");

    // Answers that are known when they are created.
    private sealed class KnownAnswers(IReadOnlyList<CoapResponse> answers, bool isAcknowledged) : Answers
    {
        private int _taken;

        public override CoapResponse? First => answers.Count > 0 ? answers[0] : null;

        public override bool IsAcknowledged => isAcknowledged;

        public override ValueTask<CoapResponse?> NextAsync(CancellationToken cancellationToken = default) =>
            cancellationToken.IsCancellationRequested
                ? ValueTask.FromCanceled<CoapResponse?>(cancellationToken)
                : new(Next(CancellationToken.None));

        public override CoapResponse? Next(CancellationToken cancellationToken = default)
        {
            cancellationToken.ThrowIfCancellationRequested();
            return _taken < answers.Count ? answers[_taken++] : null;
        }

        public override void Dispose() => _taken = answers.Count;
    }

    private sealed class MappedAnswers(Answers inner, Func<CoapResponse, CoapResponse> change) : Answers
    {
        private CoapResponse? _first;       // as the function returned it
        private Notification? _newest;
        private bool _isFirstTaken;

        public override CoapResponse? First => inner.First is { } first ? _first ??= Change(first) : null;

        public override bool IsAcknowledged => inner.IsAcknowledged;

        public override Notification? Newest => _newest;

        public override async ValueTask<CoapResponse?> NextAsync(CancellationToken cancellationToken = default) =>
            Changed(await inner.NextAsync(cancellationToken).ConfigureAwait(false));

        public override CoapResponse? Next(CancellationToken cancellationToken = default) => Changed(inner.Next(cancellationToken));

        public override void Dispose() => inner.Dispose();

        private CoapResponse? Changed(CoapResponse? answer)
        {
            if (answer is null) { return null; }
            var changed = _isFirstTaken || !ReferenceEquals(answer, inner.First) ? Change(answer) : First!;
            _isFirstTaken = true;
            _newest = inner.Newest is not { } newest || ReferenceEquals(changed, newest.Response)
                ? inner.Newest
                : new Notification(changed, newest.Sequence, newest.Elapsed, newest.Skipped);
            return changed;
        }

        private CoapResponse Change(CoapResponse answer) => change(answer)
            ?? throw new InvalidOperationException("The function that was passed to Answers.Map returned null. Return the answer, or another one.");
    }
}
