using CoAP.Options;
using CoAP.Serialization;
using CoAP.TestSupport;

namespace CoAP.Tests.Hostile;

/// <summary>A server that answers each message by chance: no stage of the client may fail, and each call ends.</summary>
public sealed class HostileServerTests
{
    private static readonly CoapCode[] Codes =
    [
        ResponseCode.Content, ResponseCode.Content, ResponseCode.Content, ResponseCode.Changed, ResponseCode.Continue, ResponseCode.Continue, ResponseCode.Valid,
        ResponseCode.RequestEntityIncomplete, ResponseCode.RequestEntityTooLarge, ResponseCode.Unauthorized,
    ];

    [Theory]
    [InlineData(1), InlineData(2), InlineData(3), InlineData(4), InlineData(5), InlineData(6)]
    public void Each_call_ends_whatever_the_server_answers(int seed)
    {
        var random = new Random(seed);
        var wire = new Wire(new ManualClock());
        using var client = LaneEnd.Client(wire);
        using var server = ScriptedPeer.Server(wire);
        List<Task<CoapResponse>> calls = [];

        for (var one = 0; one < 2000; one++)
        {
            if (one % 10 == 0) { calls.Add(client.Send(Call(random))); }
            var known = server.Received.Count;
            server.TakeAll(0.1);
            foreach (var request in server.Received.Skip(known).ToArray())
            {
                if (CoapMessageSerializer.Datagram.Deserialize(request).Code.IsRequest) { Answer(random, server, request); }
            }
        }
        wire.RunFor(TimeSpan.FromHours(10));

        calls.Count(call => !call.IsCompleted).Should().Be(0, $"seed {seed} left {client.Leftovers}");
        client.Leftovers.Should().StartWith("0 exchanges, 0 unsettled messages, 0 pending requests");
    }

    private static CoapRequest Call(Random random) => random.Next(3) switch
    {
        0 => new CoapRequest(RequestCode.Get, "/large"),
        1 => new CoapRequest(RequestCode.Put, "/large") { Payload = new byte[random.Next(5000)] },
        _ => new CoapRequest(RequestCode.Fetch, "/large") { Payload = new byte[random.Next(3000)] },
    };

    private static void Answer(Random random, ScriptedPeer server, byte[] bytes)
    {
        var request = CoapMessageSerializer.Datagram.Deserialize(bytes);
        List<CoapOption> options = [];
        if (random.Next(3) == 0) { options.Add(new ETag(new byte[] { (byte)random.Next(2) })); }
        if (random.Next(6) == 0) { options.Add(new Echo(new byte[8])); }
        // Most often what was asked for, so that transfers get somewhere before something is wrong.
        if (request.Options.Get<Block1>() is { } sent && random.Next(8) != 0) { options.Add(new Block1(sent.BlockNumber, sent.HasMore, random.Next(8) == 0 ? random.Next(8) : sent.SizeExponent)); }
        var wanted = request.Options.Get<Block2>() ?? new Block2(0, false, 6);
        if (random.Next(4) != 0) { options.Add(new Block2(random.Next(30) == 0 ? random.Next(1 << 20) : wanted.BlockNumber, random.Next(6) != 0, random.Next(30) == 0 ? random.Next(8) : wanted.SizeExponent)); }
        if (random.Next(8) == 0) { options.Add(new Size2((uint)random.Next())); }
        var code = request.Options.Get<Block1>() is { HasMore: true } && random.Next(4) != 0 ? ResponseCode.Continue : Codes[random.Next(Codes.Length)];
        var answer = new CoapMessage
        {
            Type = MessageType.Acknowledgement,
            Code = code,
            MessageId = request.MessageId,
            Token = request.Token,
            Options = OptionSet.Create([.. options.OrderBy(option => option.Number)]),
            Payload = new byte[random.Next(10) == 0 ? random.Next(1000) : 16 << Math.Min(6, wanted.SizeExponent)],
        };
        for (var copies = random.Next(1, 3); copies > 0; copies--) { server.Send(CoapMessageSerializer.Datagram.Serialize(answer)); }
    }
}
