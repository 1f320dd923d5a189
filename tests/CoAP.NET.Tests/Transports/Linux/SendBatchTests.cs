using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

/// <summary>Messages that the kernel refused to split: what is left to send, and how later messages are joined.</summary>
[Trait("Category", "Loopback")]
[SupportedOSPlatform("linux")]
public sealed class SendBatchTests : IDisposable
{
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    private readonly SendBatch _batch = new(4, AddressFamily.InterNetwork, joinsDatagrams: true);

    public SendBatchTests() => _socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));

    public void Dispose()
    {
        _batch.Dispose();
        _socket.Dispose();
    }

    [SkippableFact]
    public void Only_the_unsent_datagrams_of_a_split_message_are_counted()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        Add(100, 100, 100, 30);

        _batch.TrySplit(SocketError.MessageSize).Should().BeTrue();
        var before = _batch.Count;
        Send();
        _batch.Skip();

        (before, _batch.Count).Should().Be((4, 2));
        _batch.Datagram.Length.Should().Be(100);
    }

    [SkippableTheory]
    [InlineData(SocketError.NoBufferSpaceAvailable, 1000, true)]    // the network card was busy
    [InlineData(SocketError.ConnectionRefused, 1000, true)]         // the port of a peer was closed
    [InlineData(SocketError.HostUnreachable, 1000, true)]
    [InlineData(SocketError.MessageSize, 1000, false)]              // the path to one peer accepts less at once
    [InlineData(SocketError.MessageSize, 500, true)]
    [InlineData(SocketError.InvalidArgument, 26, false)]            // the socket cannot do it
    [InlineData(SocketError.SocketError, 26, false)]
    public void Only_datagrams_that_cannot_be_joined_are_not_joined_again(SocketError error, int next, bool isJoined)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        Add(1000, 1000);

        _batch.TrySplit(error).Should().BeTrue();
        Send();
        Send();
        _batch.HasMore.Should().BeFalse();
        _batch.Clear();
        Add(next, next);

        _batch.TrySplit(error).Should().Be(isJoined);
    }

    [SkippableFact]
    public void A_message_whose_datagrams_fail_separately_too_changes_nothing()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        Add(26, 26);

        _batch.TrySplit(SocketError.InvalidArgument);
        _batch.Skip();
        _batch.Skip();
        _batch.Clear();
        Add(26, 26);

        _batch.TrySplit(SocketError.InvalidArgument).Should().BeTrue();
    }

    private void Add(params int[] lengths)
    {
        var peer = PeerIdentity.From((IPEndPoint)_socket.LocalEndPoint!);
        foreach (var length in lengths) { _batch.Add(peer, default, new byte[length]); }
    }

    private void Send() => _batch.Send((int)_socket.SafeHandle.DangerousGetHandle()).Should().Be(1);
}
