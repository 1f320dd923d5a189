using CoAP.Streams;

namespace CoAP.Exchanges;

/// <content>A large request over a connection, whose payload lies where the caller has it until it is written.</content>
internal sealed partial class ClientExchange
{
    private StreamChannel? _large;

    /// <summary>What is sent; nothing before.</summary>
    public CoapMessage? Message => _message;

    /// <summary>Nobody waits any more, but who did is told only when the memory of the request is needed no more.</summary>
    public void CancelWhenWritten(Action told)
    {
        Cancel();
        if (_large is null || _message is null || !_large.Defer(_message, told)) { told(); }
    }

    // The wait for the response begins when the request is written, and no outcome is told before: until then its memory is in use.
    private void StartLarge(StreamChannel channel)
    {
        (_large, _state) = (channel, State.Acknowledged);
        _lane.Send(new OutgoingMessage(Key, _message!) { Stream = channel });
        if (_state != State.Done && !channel.Defer(_message!, OnWritten)) { AwaitResponse(); }
    }

    private void OnWritten()
    {
        if (_state != State.Done) { AwaitResponse(); }
    }

    private bool IsDeferred(CoapMessage response) => _message is not null && _large!.Defer(_message, () =>
    {
        if (_state != State.Done) { Complete(response); }
    });

    private bool IsDeferred(Exception error) => _message is not null && _large!.Defer(_message, () => Fail(error));
}
