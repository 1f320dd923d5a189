using CoAP.Serialization;
using CoAP.Transports;

namespace CoAP.Tests.Conformance;

/// <summary>Answers a request of ours with a message that no server of ours would make.</summary>
internal sealed class ScriptedServer(InMemoryNetwork network, Func<CoapMessage, CoapMessage> answer) : IDatagramReceiver, IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly IDatagramTransport _transport = network.OpenDatagrams(PeerIdentity.From("server"));

    public void AnswerOne()
    {
        _transport.Wait(Patience);
        _transport.Receive(this).Should().Be(1);
    }

    public void OnDatagram(in ChannelKey key, ReadOnlySpan<byte> datagram) =>
        _transport.Send(key, CoapMessageSerializer.Datagram.Serialize(answer(CoapMessageSerializer.Datagram.Deserialize(datagram))));

    public void OnNetworkError(in ChannelKey key, ReadOnlySpan<byte> quoted, System.Net.Sockets.SocketError error)
    {
    }

    public void Dispose() => _transport.Dispose();
}
