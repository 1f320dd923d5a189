using CoAP.Lanes;

namespace CoAP.Exchanges;

/// <content>A large request over a connection, whose payload lies where the caller has it until it is written.</content>
internal sealed partial class ClientExchange
{
    private bool _isLarge;

    /// <summary>What is sent; nothing before.</summary>
    public CoapMessage? Message => _message;

    /// <summary>Nobody waits any more, but who did is told only when the memory of the request is needed no more.</summary>
    public void CancelWhenWritten(Action told)
    {
        Cancel();
        if (!_isLarge || _message is null || !Channel!.Defer(_message, told)) { told(); }
    }

    // The wait for the response begins when the request is written, and no outcome is told before: until then its memory is in use.
    private void StartLarge(IFrameLink link)
    {
        (_isLarge, _state) = (true, State.Acknowledged);
        _lane.Requests.Emit(new OutgoingMessage(Key, _message!) { Link = link });
        if (_state != State.Done && !Channel!.Defer(_message!, OnWritten)) { AwaitResponse(); }
    }

    private void OnWritten()
    {
        if (_state != State.Done) { AwaitResponse(); }
    }

    private bool IsDeferred(CoapMessage response) => _message is not null && Channel!.Defer(_message, () =>
    {
        if (_state != State.Done) { Complete(response); }
    });

    private bool IsDeferred(Exception error) => _message is not null && Channel!.Defer(_message, () => Fail(error));
}
