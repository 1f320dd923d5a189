using CoAP.Options;
using CoAP.Tests.Hostile.Malicious;
using CoAP.TestSupport;

namespace CoAP.Tests.Hostile;

/// <summary>Servers that send endless bodies to many calls: the memory of all calls together is limited.</summary>
public sealed class ResponseMemoryTests
{
    private readonly Wire _wire = new(new ManualClock());

    [Fact]
    public void The_bodies_of_all_calls_together_are_limited_and_others_go_on()
    {
        using var client = Client(mode: RobustMode.Off);
        using var server = new MaliciousServer(_wire, static (server, request) =>
        {
            var number = request.Options.Get<Block2>()?.BlockNumber ?? 0;
            server.Answer(request, ResponseCode.Content, [new Block2(number, number < 9, 6)], 1024, after: 1);
        });

        var calls = Enumerable.Range(0, 3).Select(_ => client.Send(new CoapRequest(RequestCode.Get, "/x"))).ToArray();
        _wire.RunUntilIdle();

        calls.Count(call => call.IsCompletedSuccessfully).Should().Be(2);
        calls.Where(call => call.IsFaulted).Should().ContainSingle().Which.Should().Match<Task>(call => IsLimit(call));

        var next = client.Send(new CoapRequest(RequestCode.Get, "/x"));
        _wire.RunUntilIdle();

        next.Answer().Payload.Length.Should().Be(10 << 10, "ended calls hold nothing");
    }

    [Fact]
    public void A_robust_body_counts_with_the_memory_that_it_takes()
    {
        using var client = Client(mode: RobustMode.WhenSupported);
        using var server = new MaliciousServer(_wire, static (server, request) =>
        {
            server.Answer(request, ResponseCode.Content, [new ETag(new byte[] { 1 }), new QBlock2(0, true, 0), new Size2(8 << 20)], 16);
        });

        var call = client.Send(new CoapRequest(RequestCode.Get, "/x"));
        _wire.RunUntilIdle();

        IsLimit(call).Should().BeTrue($"{call.Exception?.InnerException?.Message}");
    }

    private static bool IsLimit(Task call) =>
        call.Exception!.InnerException is CoapTransferException failure && failure.Message.Contains("MaxTotalResponseSize", StringComparison.Ordinal);

    private LaneEnd Client(RobustMode mode) => LaneEnd.Client(_wire, new CoapClientSettings
    {
        Transmission = new() { NStart = 4 },
        ClientTransfers = new() { MaxTotalResponseSize = 20 << 10, RobustMode = mode },
    });
}
