using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege;

/// <summary>Frames put together by chance, judged by a second parser: after each the connection lives on, is aborted with a reason, or has ended.</summary>
public sealed class FrameFuzzTests : IAsyncDisposable
{
    private const string Ping = "01 e2 42";
    private const string Pong = "01e342";
    private const int Abort = 0xE5;

    private static readonly byte[] Codes = [0x00, 0x01, 0x02, 0x03, 0x05, 0x1F, 0x20, 0x45, 0x60, 0x84, 0xA0, 0xC0, 0xE0, 0xE1, 0xE2, 0xE3, 0xE4, 0xE5, 0xE9, 0xFF];

    private readonly StreamHost _host = new(static settings => settings with
    {
        Stream = new StreamSettings { MaxMessageSize = FrameOracle.MaxMessage, AbortAboveSize = FrameOracle.AbortAbove },
    });

    public ValueTask DisposeAsync() => _host.DisposeAsync();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [Trait("RFC", "8323 3.2")]
    [Trait("RFC", "8323 5.6")]
    public async Task Every_frame_has_the_fate_that_the_clauses_give_it(int seed)
    {
        var random = new Random(seed);
        var seen = new Dictionary<FrameOracle.Fate, int>();

        for (var at = 0; at < 400; at++)
        {
            var (frame, fate) = Next(random);
            seen[fate] = seen.GetValueOrDefault(fate) + 1;
            if (fate == FrameOracle.Fate.Unspecified) { continue; }
            var found = await SendAsync(frame);
            found.Should().Be(fate, $"seed {seed}, frame {at}: {Hex.Text(frame)}");
        }

        seen.Keys.Should().Contain([FrameOracle.Fate.LivesOn, FrameOracle.Fate.Aborts, FrameOracle.Fate.Ends], "otherwise chance was too narrow");
    }

    private async Task<FrameOracle.Fate> SendAsync(byte[] frame)
    {
        using var peer = await _host.OpenAsync();
        await peer.SendAsync((byte[])[.. frame, .. Hex.Bytes(Ping)]);
        while (await peer.ReadAsync() is { } message)
        {
            if (message == Pong) { return FrameOracle.Fate.LivesOn; }
            if (CodeOf(Hex.Bytes(message)) != Abort) { continue; }
            message.Should().Contain("ff", "an Abort says why");
            return FrameOracle.Fate.Aborts;
        }
        return FrameOracle.Fate.Ends;
    }

    private static int CodeOf(byte[] message) => message[1 + (message[0] >> 4) switch { 13 => 1, 14 => 2, 15 => 4, _ => 0 }];

    private static (byte[] Frame, FrameOracle.Fate Fate) Next(Random random)
    {
        var code = Codes[random.Next(Codes.Length)];
        var nibble = random.Next(10) switch { 0 => 15, 1 => random.Next(9, 13), _ => random.Next(9) };
        byte[] token = nibble == 15 ? [] : Bytes(random, nibble);
        // The Ping behind it has another token than any of these.
        if (token.Length > 0) { token[0] = 0x99; }
        var body = BodyOf(random);
        byte[] frame = [.. Header(nibble, code, body.Length), .. token, .. body];
        return (frame, FrameOracle.Judge(code, nibble, token, body, frame.Length));
    }

    private static byte[] BodyOf(Random random) => random.Next(12) switch
    {
        0 => [],
        1 => Bytes(random, random.Next(900, 1100)),
        2 => Bytes(random, random.Next(4900, 5100)),
        < 7 => [.. Options(random), 0xFF, .. Bytes(random, random.Next(3))],
        < 10 => Options(random),
        _ => Bytes(random, random.Next(1, 12)),
    };

    private static byte[] Options(Random random)
    {
        var bytes = new List<byte>();
        for (var count = random.Next(1, 4); count > 0; count--)
        {
            var length = random.Next(5);
            bytes.Add((byte)(random.Next(random.Next(4) == 0 ? 16 : 12) << 4 | length));
            bytes.AddRange(Bytes(random, length));
        }
        return [.. bytes];
    }

    private static byte[] Header(int nibble, byte code, int length) => length switch
    {
        < 13 => [(byte)(length << 4 | nibble), code],
        < 269 => [(byte)(13 << 4 | nibble), (byte)(length - 13), code],
        _ => [(byte)(14 << 4 | nibble), (byte)((length - 269) >> 8), (byte)(length - 269), code],
    };

    private static byte[] Bytes(Random random, int count)
    {
        var bytes = new byte[count];
        random.NextBytes(bytes);
        return bytes;
    }
}
