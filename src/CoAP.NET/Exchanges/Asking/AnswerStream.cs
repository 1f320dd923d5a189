namespace CoAP.Exchanges;

/// <summary>Answers that arrive one after another. Its request is sent when it starts.</summary>
/// <remarks>One reader. The first answer is awaited at the start, so that its failure is that of the request.</remarks>
internal abstract class AnswerStream : Answers
{
    private CoapResponse? _first;
    private bool _isFirstWaiting;
    private volatile bool _isDisposed;

    public sealed override CoapResponse? First => _first;

    /// <summary>Sends the request and waits for the first answer, or for the end without one.</summary>
    public async ValueTask<Answers> StartAsync(CancellationToken cancellationToken)
    {
        try
        {
            cancellationToken.ThrowIfCancellationRequested();
            await BeginAsync(cancellationToken).ConfigureAwait(false);
            Keep(await TakeAsync(cancellationToken).ConfigureAwait(false));
            return this;
        }
        catch (Exception exception)
        {
            Fail(exception);
            throw;
        }
    }

    /// <summary>Sends the request and waits for the first answer, or for the end without one. Blocks the calling thread.</summary>
    public Answers Start(CancellationToken cancellationToken)
    {
        try
        {
            cancellationToken.ThrowIfCancellationRequested();
            Begin(cancellationToken);
            Keep(Take(cancellationToken));
            return this;
        }
        catch (Exception exception)
        {
            Fail(exception);
            throw;
        }
    }

    public sealed override async ValueTask<CoapResponse?> NextAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (_isDisposed) { return null; }
        return TryTakeFirst() ? _first : await TakeAsync(cancellationToken).ConfigureAwait(false);
    }

    public sealed override CoapResponse? Next(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (_isDisposed) { return null; }
        return TryTakeFirst() ? _first : Take(cancellationToken);
    }

    public sealed override void Dispose()
    {
        if (_isDisposed) { return; }
        _isDisposed = true;
        Close();
    }

    /// <summary>Sends the request.</summary>
    protected abstract ValueTask BeginAsync(CancellationToken cancellationToken);

    /// <summary>Sends the request. Blocks the calling thread while a connection is opened.</summary>
    protected abstract void Begin(CancellationToken cancellationToken);

    /// <summary>Waits for the next answer. Returns <see langword="null"/> at the end.</summary>
    protected abstract ValueTask<CoapResponse?> TakeAsync(CancellationToken cancellationToken);

    /// <summary>Waits for the next answer. Returns <see langword="null"/> at the end. Blocks the calling thread.</summary>
    protected abstract CoapResponse? Take(CancellationToken cancellationToken);

    /// <summary>Ends the request.</summary>
    protected abstract void Close();

    /// <summary>Called when the first answer has arrived, or none will.</summary>
    protected virtual void OnStarted() { }

    /// <summary>Called when the start has failed, before <see cref="Close"/>.</summary>
    protected virtual void OnFailed(Exception error) { }

    private void Keep(CoapResponse? first)
    {
        (_first, _isFirstWaiting) = (first, first is not null);
        OnStarted();
    }

    private bool TryTakeFirst()
    {
        if (!_isFirstWaiting) { return false; }
        _isFirstWaiting = false;
        return true;
    }

    private void Fail(Exception error)
    {
        OnFailed(error);
        Dispose();
    }
}
