using System.Text;
using CoAP.Options;
using CoAP.Serialization;
using CoAP.Transports;

namespace CoAP.Tests.Observing;

/// <summary>A server of one resource that counts: answers each registration, notifies when told to, and says when it is deregistered.</summary>
internal sealed class ObservedThing : IDatagramReceiver, IDisposable
{
    private readonly IDatagramTransport _transport;
    private readonly TaskCompletionSource<bool> _deregistered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Thread _thread;
    private volatile bool _isOver;
    private volatile bool _mustNotify;
    private ChannelKey _observer;
    private ushort _state;

    public ObservedThing(InMemoryNetwork network, string name = "server")
    {
        _transport = network.OpenDatagrams(PeerIdentity.From(name));
        _thread = new Thread(Run) { IsBackground = true };
        _thread.Start();
    }

    public Token Token { get; private set; }

    /// <summary>Whether registrations are only acknowledged. <see cref="Notify"/> then sends the response.</summary>
    public bool AnswersLate { get; init; }

    public void Notify()
    {
        _mustNotify = true;
        _transport.Wake();
    }

    public Task<bool> DeregisteredAsync() => _deregistered.Task.WaitAsync(TimeSpan.FromMinutes(1));

    public void OnDatagram(in ChannelKey key, ReadOnlySpan<byte> datagram)
    {
        var request = CoapMessageSerializer.Datagram.Deserialize(datagram);
        if (!request.Code.IsRequest) { return; }
        (_observer, Token) = (key, request.Token);
        var isRegistration = request.Options.Get<Observe>()!.Value == 0;
        if (isRegistration && AnswersLate) { SendEmptyAcknowledgement(request.MessageId); }
        else { Send(MessageType.Acknowledgement, request.MessageId, isRegistration ? [new Observe(++_state)] : []); }
        if (!isRegistration) { _deregistered.TrySetResult(true); }
    }

    public void OnNetworkError(in ChannelKey key, ReadOnlySpan<byte> quoted, System.Net.Sockets.SocketError error)
    {
    }

    public void Dispose()
    {
        _isOver = true;
        _transport.Wake();
        _thread.Join();
        _transport.Dispose();
    }

    private void Run()
    {
        while (!_isOver)
        {
            _transport.Wait(TimeSpan.FromSeconds(1));
            _transport.Receive(this);
            if (!_mustNotify) { continue; }
            _mustNotify = false;
            Send(MessageType.NonConfirmable, new MessageId(++_state), [new Observe(_state)]);
        }
    }

    private void SendEmptyAcknowledgement(MessageId messageId) => _transport.Send(_observer, CoapMessageSerializer.Datagram.Serialize(
        new CoapMessage(MessageType.Acknowledgement, CoapCode.Empty, messageId, default, [], default)));

    private void Send(MessageType type, MessageId messageId, OptionSet options) => _transport.Send(_observer, CoapMessageSerializer.Datagram.Serialize(
        new() { Type = type, Code = ResponseCode.Content, MessageId = messageId, Token = Token, Options = options, Payload = Encoding.UTF8.GetBytes($"{_state}") }));
}
