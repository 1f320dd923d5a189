using System.Net;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

/// <summary>A peer may end its connection at any time. An operation in progress must not end the process then.</summary>
[Trait("Category", "Loopback")]
public sealed class TcpConnectionEndTests
{
    // Nothing catches an exception of a completed send. Without the rule the test process ends.
    [Fact]
    public void A_connection_that_ends_during_an_armed_send_reports_it()
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        for (var repetition = 0; repetition < 20; repetition++)
        {
            using var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            peer.Connect(listener.LocalEndPoint!);
            var ending = new TcpConnection(listener.Accept());
            var recorder = new StreamRecorder(ending);

            while (ending.Send(new byte[1 << 16], out _) is StreamOutcome.Done) { }
            ending.ArmSend(new byte[16 << 20]);
            ending.Dispose();

            recorder.WaitWritable();
            ending.Error.Should().BeOfType<SocketException>();
        }
    }
}
