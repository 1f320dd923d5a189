using System.Net;
using System.Net.Sockets;
using CoAP.Serialization;
using CoAP.Tool.Benchmarking;
using CoAP.Tool.LoadEngine;

namespace CoAP.Tool.Tests.Benchmarking;

[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class DatagramGeneratorTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly Socket _peer = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    private readonly byte[] _buffer = new byte[1500];
    private EndPoint _from = new IPEndPoint(IPAddress.Any, 0);

    public DatagramGeneratorTests()
    {
        Skip.IfNot(LinuxCalls.AreSupported, "Raw datagrams need 64-bit Linux.");
        _peer.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _peer.ReceiveTimeout = (int)Patience.TotalMilliseconds;     // a lost message fails the test instead of blocking it
    }

    private IPEndPoint Address => (IPEndPoint)_peer.LocalEndPoint!;

    public void Dispose() => _peer.Dispose();

    [SkippableFact]
    public async Task Sends_what_the_serializer_reads_and_counts_the_answers()
    {
        await using var cut = Start(Settings("/a/b?c=d"), measures: true);
        for (var count = 1; count <= 10; count++)
        {
            var request = Receive();
            request.Options.Should().BeEquivalentTo(CoapUri.Parse("coap://host/a/b?c=d").ToPathOptions());
            (request.Type, request.Code).Should().Be((MessageType.Confirmable, RequestCode.Get));
            Send(MessageType.Acknowledgement, count == 5 ? ResponseCode.NotFound : ResponseCode.Content, request);
        }
        Receive();      // shows that the tenth answer was counted

        var tally = (await cut.StopAsync()).Tally;

        (tally.Good, tally.ErrorAnswers, tally.Retransmitted).Should().Be((9L, 1L, 0L));
        tally.Failures.Should().Equal(("4.04", 1L));
    }

    [SkippableFact]
    [Trait("RFC", "7252 5.2.2")]
    public async Task Takes_and_acknowledges_a_separate_response()
    {
        await using var cut = Start(Settings(), measures: true);
        var request = Receive();

        SendEmpty(MessageType.Acknowledgement, request.MessageId);
        Send(MessageType.Confirmable, ResponseCode.Content, request, new MessageId(77));

        (Receive() is var reaction && reaction.Code.IsEmpty ? reaction : Receive()).Should().BeEquivalentTo(new { Type = MessageType.Acknowledgement, MessageId = new MessageId(77) });
        (await cut.StopAsync()).Tally.Good.Should().Be(1);
    }

    [SkippableFact]
    [Trait("RFC", "7252 4.2")]
    public async Task Sends_a_lost_request_again_with_the_same_message_ID()
    {
        await using var cut = Start(Settings() with { AckTimeout = TimeSpan.FromMilliseconds(1) }, measures: true);

        var (first, second) = (Receive(), Receive());
        Send(MessageType.Acknowledgement, ResponseCode.Content, second);
        while (Receive().MessageId == second.MessageId) { }

        second.Should().BeEquivalentTo(new { first.MessageId, first.Token });
        var tally = (await cut.StopAsync()).Tally;
        tally.Good.Should().Be(1);
        tally.Retransmitted.Should().BePositive();
    }

    [SkippableFact]
    public async Task A_response_with_a_wrong_token_or_message_ID_does_not_count()
    {
        await using var cut = Start(Settings(), measures: true);
        var request = Receive();

        Send(MessageType.Acknowledgement, ResponseCode.Content, request, new MessageId((ushort)(request.MessageId.Value + 1)));
        Send(MessageType.NonConfirmable, ResponseCode.Content, new CoapMessage { Code = RequestCode.Get, Token = new Token("wrong"u8) });
        SendEmpty(MessageType.Reset, request.MessageId);
        Receive();

        var tally = (await cut.StopAsync()).Tally;
        (tally.Good, tally.Resets).Should().Be((0L, 1L));
    }

    // The test may take its time for an answer: no request is sent again meanwhile.
    private BenchSettings Settings(string path = "/") =>
        new() { Uri = $"coap://{Address}{path}", Clients = 1, Concurrency = 1, AckTimeout = Patience, ResponseTimeout = Patience };

    private DatagramGenerator Start(BenchSettings settings, bool measures)
    {
        var generator = new DatagramGenerator(settings, Address);
        if (measures) { generator.Measure(); }
        generator.Start();
        return generator;
    }

    private CoapMessage Receive() => CoapMessageSerializer.Datagram.Deserialize(_buffer.AsSpan(0, _peer.ReceiveFrom(_buffer, ref _from)));

    private void Send(MessageType type, CoapCode code, CoapMessage request, MessageId? id = null) => _peer.SendTo(
        CoapMessageSerializer.Datagram.Serialize(new CoapMessage { Type = type, Code = code, MessageId = id ?? request.MessageId, Token = request.Token }), _from);

    private void SendEmpty(MessageType type, MessageId id) =>
        _peer.SendTo(CoapMessageSerializer.Datagram.Serialize(new CoapMessage { Type = type, MessageId = id }), _from);
}
