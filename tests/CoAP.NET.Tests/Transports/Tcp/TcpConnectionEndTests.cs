using System.Net;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

/// <summary>A peer decides when its connection ends; whatever is under way then must not take the process with it.</summary>
[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class TcpConnectionEndTests
{
    // What leaves the completion of a send is caught by nobody: without the rule the test process ends.
    [Fact]
    public void A_connection_that_ends_under_an_armed_send_reports_it_and_nothing_else_happens()
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
