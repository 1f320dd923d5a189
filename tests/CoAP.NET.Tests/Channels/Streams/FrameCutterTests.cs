using CoAP.Options;
using CoAP.Serialization;
using CoAP.Signaling;
using CoAP.Streams;
using CoAP.Testing;

namespace CoAP.Tests.Channels;

/// <summary>The cut of a stream into messages does not depend on how the stream is torn.</summary>
public sealed class FrameCutterTests
{
    private const int Seed = 20260;

    [Fact]
    [Trait("RFC", "8323 3.2")]
    public void Random_messages_torn_at_random_come_out_as_they_went_in()
    {
        var random = new Random(Seed);
        for (var run = 0; run < 200; run++)
        {
            var messages = Enumerable.Range(0, random.Next(1, 20)).Select(_ => Message(random)).ToArray();
            var stream = messages.SelectMany(message => message).ToArray();
            var consumer = new Recorder(maxSize: 1000);

            for (var at = 0; at < stream.Length;)
            {
                var count = Math.Min(random.Next(1, run % 2 == 0 ? 8 : 3000), stream.Length - at);
                consumer.Cutter.Cut(stream.AsMemory(at, count)).Should().Be(count, $"seed {Seed}, run {run}");
                at += count;
            }

            var expected = messages.Select(message => message.Length > 1000 ? $"too large [{Hex.Text(TokenOf(message))}]" : Hex.Text(message));
            consumer.Seen.Should().Equal(expected, $"seed {Seed}, run {run}");
            consumer.Cutter.IsInside.Should().BeFalse();
        }
    }

    [Fact]
    public void Memory_grows_with_what_has_arrived_and_not_with_what_was_announced()
    {
        var consumer = new Recorder(maxSize: 1 << 30);
        var announced = Hex.Bytes("f0 3ffe0000 02 ff");     // a POST of about 1 GiB
        consumer.Cutter.Cut(Hex.Bytes("00 00"));

        var before = GC.GetAllocatedBytesForCurrentThread();
        consumer.Cutter.Cut(announced);
        consumer.Cutter.Cut(new byte[10_000]);
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;

        allocated.Should().BeLessThan(60_000);
        consumer.Cutter.IsInside.Should().BeTrue();
    }

    [Fact]
    public void A_message_that_was_torn_ends_in_an_array_of_exactly_its_size()
    {
        var consumer = new Recorder(maxSize: 5000);
        byte[] message = [.. Hex.Bytes("e0 0c7d 02 ff"), .. new byte[3465]];

        for (var at = 0; at < message.Length; at += 100) { consumer.Cutter.Cut(message.AsMemory(at, Math.Min(100, message.Length - at))); }

        consumer.LastArray.Should().HaveCount(message.Length);
    }

    private static byte[] Message(Random random)
    {
        var token = new byte[random.Next(0, 9)];
        var payload = new byte[random.Next(4) switch { 0 => 0, 1 => random.Next(20), 2 => random.Next(400), _ => random.Next(3000) }];
        random.NextBytes(token);
        random.NextBytes(payload);
        return new StreamSerializer(OptionRegistry.Default).Serialize(new CoapMessage { Code = RequestCode.Put, Token = new Token(token), Payload = payload });
    }

    private static byte[] TokenOf(byte[] message)
    {
        var start = 2 + (message[0] >> 4) switch { 13 => 1, 14 => 2, _ => 0 };
        return message[start..(start + (message[0] & 15))];
    }

    private sealed class Recorder : IFrameConsumer
    {
        private readonly int _maxSize;

        public Recorder(int maxSize) => (_maxSize, Cutter) = (maxSize, new FrameCutter(this));

        public FrameCutter Cutter { get; }

        public List<string> Seen { get; } = [];

        public byte[]? LastArray { get; private set; }

        public bool MayKeep(int size, bool isWhole) => true;

        public bool TakesMore => true;

        public FrameVerdict Judge(in FrameStart start) => new(start.TotalLength > _maxSize ? FrameFate.SkipAndAnswerTooLarge : FrameFate.Accept);

        public void OnFrame(CoapCode code, ReadOnlyMemory<byte> bytes, bool isOwned)
        {
            Seen.Add(Hex.Text(bytes.Span));
            LastArray = isOwned && System.Runtime.InteropServices.MemoryMarshal.TryGetArray(bytes, out var segment) ? segment.Array : null;
        }

        public void OnTooLarge(CoapCode code, in Token token) => Seen.Add($"too large [{Hex.Text(token.ToArray())}]");

        public void OnSkipped(CoapCode code) => code.Should().Be(RequestCode.Put);

        public void OnUnreadable(FormatError error, string? diagnostic) => throw new InvalidOperationException($"{error} {diagnostic}");
    }
}
