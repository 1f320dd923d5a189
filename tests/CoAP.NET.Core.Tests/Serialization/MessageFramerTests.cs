using System.Runtime.InteropServices;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Serialization;

/// <summary>The cut of a stream into messages does not depend on how the stream is torn.</summary>
public sealed class MessageFramerTests
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
                consumer.Framer.Take(stream.AsMemory(at, count)).Should().Be(count, $"seed {Seed}, run {run}");
                at += count;
            }

            var expected = messages.Select(message => message.Length > 1000 ? $"too large [{Hex.Text(TokenOf(message))}]" : Hex.Text(message));
            consumer.Seen.Should().Equal(expected, $"seed {Seed}, run {run}");
            consumer.Framer.IsInside.Should().BeFalse();
        }
    }

    [Fact]
    public void Memory_grows_with_what_has_arrived_and_not_with_what_was_announced()
    {
        var consumer = new Recorder(maxSize: 1 << 30);
        var announced = Hex.Bytes("f0 3ffe0000 02 ff");     // a POST of about 1 GiB

        var allocated = Allocations.Of(() => consumer = new Recorder(maxSize: 1 << 30), one =>
        {
            one.Framer.Take(announced);
            one.Framer.Take(new byte[10_000]);
        });

        allocated.Should().BeLessThan(60_000);
        consumer.Framer.IsInside.Should().BeTrue();
    }

    [Fact]
    public void A_message_that_was_torn_ends_in_an_array_of_exactly_its_size()
    {
        var consumer = new Recorder(maxSize: 5000);
        byte[] message = [.. Hex.Bytes("e0 0c7d 02 ff"), .. new byte[3465]];

        for (var at = 0; at < message.Length; at += 100) { consumer.Framer.Take(message.AsMemory(at, Math.Min(100, message.Length - at))); }

        consumer.LastArray.Should().HaveCount(message.Length);
    }

    [Fact]
    [Trait("RFC", "8323 3.2")]
    public void Six_bytes_that_announce_1_MiB_cost_at_most_4_KiB_on_a_connection()
    {
        var announced = Hex.Bytes("f0 000efeed 03");

        var allocated = Allocations.Of(() => new Recorder(maxSize: 1 << 30), consumer => consumer.Framer.Take(announced));

        allocated.Should().BeInRange(1, 4096);
    }

    [Fact]
    public void A_large_message_costs_little_more_than_itself()
    {
        const int size = 16 << 20;
        var consumer = new Recorder(maxSize: 1 << 30);
        var piece = new byte[16 << 10];
        Recorder Begin()
        {
            consumer = new Recorder(maxSize: 1 << 30) { IsSilent = true };
            consumer.Framer.Take(Hex.Bytes("f0 00fefeed 03"));     // 16 MiB in all
            return consumer;
        }

        var allocated = Allocations.Of(Begin, one =>
        {
            for (var sent = 6; sent < size; sent += piece.Length)
            {
                one.Framer.Take(piece.AsMemory(0, Math.Min(piece.Length, size - sent)));
            }
        });

        consumer.LastArray.Should().NotBeNull().And.Subject.Count().Should().Be(size);
        allocated.Should().BeLessThan((long)(size * 1.04));
    }

    [Fact]
    public void A_message_waits_unread_until_its_memory_fits_the_limit()
    {
        byte[] message = [.. Hex.Bytes("e0 2000 02 ff"), .. new byte[8460]];
        var consumer = new Recorder(maxSize: 100_000) { MayKeepAll = false };

        consumer.Framer.Take(message.AsMemory(0, 5000)).Should().Be(0, "5,000 bytes of 8,465 are counted, and none are kept");
        consumer.MayKeepAll = true;
        consumer.Framer.Take(message.AsMemory(0, 5000)).Should().Be(5000);
        consumer.MayKeepAll = false;
        consumer.Framer.Take(message.AsMemory(5000)).Should().Be(0);
        consumer.MayKeepAll = true;
        consumer.Framer.Take(message.AsMemory(5000)).Should().Be(3465);

        consumer.Seen.Should().Equal(Hex.Text(message));
    }

    [Fact]
    public void A_message_that_is_too_large_by_its_token_alone_is_skipped_and_not_read()
    {
        var consumer = new Recorder(maxSize: 9);

        consumer.Framer.Take(Hex.Bytes("08 03 0102030405060708  00 00")).Should().Be(12);

        consumer.Seen.Should().Equal("too large [0102030405060708]", "0000");
        consumer.Framer.IsInside.Should().BeFalse();
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
        private bool _isRefused;

        public Recorder(int maxSize) => (_maxSize, Framer) = (maxSize, new MessageFramer(CoapMessageSerializer.Stream, this));

        public MessageFramer Framer;

        public List<string> Seen { get; } = [];

        public byte[]? LastArray { get; private set; }

        public bool IsSilent { get; init; }

        public bool MayKeepAll { get; set => (field, _isRefused) = (value, false); } = true;

        public bool MayKeep(long size)
        {
            _isRefused = !MayKeepAll;
            return MayKeepAll;
        }

        public bool TakesMore => !_isRefused;

        public FrameVerdict Judge(in StreamHeader header) => new(header.TotalLength > _maxSize ? FrameAction.SkipAndAnswerTooLarge : FrameAction.Accept);

        public void OnFrame(CoapCode code, ReadOnlyMemory<byte> bytes, bool isOwned)
        {
            Seen.Add(IsSilent ? "" : Hex.Text(bytes.Span));
            LastArray = isOwned && MemoryMarshal.TryGetArray(bytes, out var segment) ? segment.Array : null;
        }

        public void OnTooLarge(CoapCode code, in Token token) => Seen.Add($"too large [{Hex.Text(token.ToArray())}]");

        public void OnSkipped(CoapCode code) => code.Should().Be(RequestCode.Put);

        public void OnUnreadable(FormatError error, string? diagnostic) => throw new InvalidOperationException($"{error} {diagnostic}");
    }
}
