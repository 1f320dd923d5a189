using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

/// <summary>What is left to send of a message that the kernel has refused to cut up, and what is learnt from it.</summary>
[Trait("Category", "Loopback")]
[Collection("Loopback")]
[SupportedOSPlatform("linux")]
public sealed class SendBatchTests : IDisposable
{
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    private readonly SendBatch _batch = new(4, AddressFamily.InterNetwork, gathers: true);

    public SendBatchTests() => _socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));

    public void Dispose()
    {
        _batch.Dispose();
        _socket.Dispose();
    }

    [SkippableFact]
    public void Of_a_message_that_is_sent_apart_only_what_was_not_sent_counts_as_left()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        Add(100, 100, 100, 30);

        _batch.TrySendApart(SocketError.MessageSize).Should().BeTrue();
        var before = _batch.Count;
        Send();
        _batch.Skip();

        (before, _batch.Count).Should().Be((4, 2));
        _batch.Datagram.Length.Should().Be(100);
    }

    [SkippableTheory]
    [InlineData(SocketError.NoBufferSpaceAvailable, 1000, true)]    // the network card was busy
    [InlineData(SocketError.ConnectionRefused, 1000, true)]         // a peer's port was closed
    [InlineData(SocketError.HostUnreachable, 1000, true)]
    [InlineData(SocketError.MessageSize, 1000, false)]              // the way to one peer takes less at once
    [InlineData(SocketError.MessageSize, 500, true)]
    [InlineData(SocketError.InvalidArgument, 26, false)]            // the socket cannot do it
    [InlineData(SocketError.SocketError, 26, false)]
    public void Only_what_cannot_be_gathered_is_not_tried_again(SocketError error, int next, bool isGathered)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        Add(1000, 1000);

        _batch.TrySendApart(error).Should().BeTrue();
        Send();
        Send();
        _batch.HasMore.Should().BeFalse();
        _batch.Clear();
        Add(next, next);

        _batch.TrySendApart(error).Should().Be(isGathered);
    }

    [SkippableFact]
    public void Nothing_is_learnt_where_the_datagrams_cannot_be_sent_apart_either()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        Add(26, 26);

        _batch.TrySendApart(SocketError.InvalidArgument);
        _batch.Skip();
        _batch.Skip();
        _batch.Clear();
        Add(26, 26);

        _batch.TrySendApart(SocketError.InvalidArgument).Should().BeTrue();
    }

    private void Add(params int[] lengths)
    {
        var peer = PeerIdentity.From((IPEndPoint)_socket.LocalEndPoint!);
        foreach (var length in lengths) { _batch.Add(peer, default, new byte[length]); }
    }

    private void Send() => _batch.Send((int)_socket.SafeHandle.DangerousGetHandle()).Should().Be(1);
}
