using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Transfers over a wire that loses, repeats and reorders end with the right bytes or a clear error, and leave nothing behind.</summary>
public sealed class ClientLossTests
{
    private const int Runs = 250;

    private static readonly string Nothing = "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines";

    [Fact]
    public void Transfers_over_a_bad_wire_end_with_the_right_bytes_or_a_clear_error()
    {
        var succeeded = 0;
        for (var seed = 1; seed <= Runs; seed++)
        {
            var (put, get) = Run(seed);
            succeeded += (put is null ? 1 : 0) + (get is null ? 1 : 0);
        }

        succeeded.Should().BeGreaterThan(Runs, "confirmable messages get through most of the time");
    }

    [Fact]
    public void The_same_seed_gives_the_same_run()
    {
        Trace(17).Should().Equal(Trace(17), (left, right) => left.Time == right.Time && left.Bytes.Length == right.Bytes.Length && left.Copies == right.Copies);
    }

    private static IReadOnlyList<SentDatagram> Trace(int seed)
    {
        var wire = Wire(seed);
        Run(wire, seed);
        return wire.Sent(Direction.ToServer);
    }

    private static (Exception? Put, Exception? Get) Run(int seed) => Run(Wire(seed), seed);

    private static Wire Wire(int seed) => new(new ManualClock(), seed)
    {
        Latency = TimeSpan.FromMilliseconds(50),
        Jitter = TimeSpan.FromSeconds(1),
        Loss = 0.2,
        Duplication = 0.1,
    };

    private static (Exception? Put, Exception? Get) Run(Wire wire, int seed)
    {
        byte[] body = [.. Enumerable.Range(0, 900).Select(i => (byte)(i * seed))], stored = [];
        using var server = LaneEnd.Server(wire, map => map.At("store")
            .Put(request => Store(request.Payload.ToArray()), HandlerMode.Inline)
            .Get(_ => new CoapResponse(ResponseCode.Content) { Options = [new ETag(new byte[] { 7 })], Payload = body }, HandlerMode.Inline));
        using var client = LaneEnd.Client(wire, new CoapClientSettings { ClientTransfers = new() { BlockSize = 64 } });

        var put = client.Send(new CoapRequest(RequestCode.Put, "/store") { Payload = body });
        var get = client.Send(new CoapRequest(RequestCode.Get, "/store") { PreferredBlockSize = 128 });
        wire.RunUntilIdle();

        client.Leftovers.Should().Be(Nothing, $"seed {seed}");
        client.BodiesUnderWay.Should().Be(0, $"seed {seed}");
        return (Failure(put, () => stored, body, seed), Failure(get, () => get.Answer().Payload.ToArray(), body, seed));

        CoapResponse Store(byte[] what)
        {
            stored = what;
            return new(ResponseCode.Changed);
        }
    }

    private static CoapException? Failure(Task<CoapResponse> call, Func<byte[]> bytes, byte[] expected, int seed)
    {
        try
        {
            call.Answer().IsSuccess.Should().BeTrue($"seed {seed}");
            bytes().Should().Equal(expected, $"seed {seed}");
            return null;
        }
        catch (CoapException exception)
        {
            return exception;
        }
    }
}
