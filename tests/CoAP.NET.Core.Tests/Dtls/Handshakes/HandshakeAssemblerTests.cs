using CoAP.Dtls;

namespace CoAP.Tests.Dtls.Handshakes;

public sealed class HandshakeAssemblerTests
{
    private const int Room = 4000;

    [Theory, Trait("RFC", "6347 4.2.2"), Trait("RFC", "6347 4.2.3")]
    [InlineData(1), InlineData(2), InlineData(3), InlineData(4), InlineData(5)]
    public void Messages_come_out_whole_and_in_order_however_their_fragments_arrive(int seed)
    {
        var random = new Random(seed);
        byte[][] messages = [.. Enumerable.Range(3, 8).Select(number => Message(number, random.Next(3) == 0 ? 0 : random.Next(1, 400), random))];
        var records = messages.SelectMany(message => Fragments(message, random)).ToArray();
        random.Shuffle(records);
        var (cut, taken) = (new HandshakeAssembler(3, Room), new List<byte[]>());

        foreach (var record in records.Concat(records))     // twice, as if the flight were repeated
        {
            cut.Add(record);
            while (cut.TakeNext() is { } message) { taken.Add(message); }
        }

        taken.Should().BeEquivalentTo(messages, options => options.WithStrictOrdering(), $"seed {seed}");
        cut.HasSeenOld.Should().BeTrue();
    }

    [Fact, Trait("RFC", "6347 4.2.3")]
    public void A_fragment_that_contradicts_an_earlier_one_is_dropped()
    {
        var cut = new HandshakeAssembler(0, Room);
        cut.Add(Fragment(type: 1, length: 4, number: 0, offset: 0, [1, 2]));

        cut.Add(Fragment(type: 2, length: 4, number: 0, offset: 2, [9, 9]));
        cut.Add(Fragment(type: 1, length: 5, number: 0, offset: 2, [9, 9, 9]));
        cut.Add(Fragment(type: 1, length: 4, number: 0, offset: 1, [8, 3]));
        cut.TakeNext().Should().BeNull();
        cut.Add(Fragment(type: 1, length: 4, number: 0, offset: 3, [4]));

        cut.TakeNext().Should().Equal(Fragment(type: 1, length: 4, number: 0, offset: 0, [1, 2, 3, 4]));
    }

    [Theory, Trait("RFC", "6347 4.2.3")]
    [InlineData("01 000004 0000 000003 000002 0102")]       // beyond the end of the message
    [InlineData("01 000020 0000 000000 000020 0102")]       // beyond the end of the record
    [InlineData("01 000004 0000 0000")]
    public void A_malformed_fragment_is_dropped_with_the_rest_of_its_record(string bytes)
    {
        var cut = new HandshakeAssembler(0, Room);

        cut.Add([.. TestSupport.Hex.Bytes(bytes), .. Fragment(type: 1, length: 0, number: 0, offset: 0, [])]);

        cut.TakeNext().Should().BeNull();
    }

    [Fact, Trait("RFC", "5246 7.4.9")]
    public void Only_a_Finished_is_protected()
    {
        var cut = new HandshakeAssembler(0, Room);
        byte[] finished = Fragment(type: 20, length: 2, number: 0, offset: 0, [1, 2]), other = Fragment(type: 16, length: 2, number: 0, offset: 0, [3, 4]);

        cut.Add(finished, isProtected: false);
        cut.Add(other, isProtected: true);
        (cut.TakeNext(), cut.HasSeenNew).Should().Be((null, false));
        cut.Add(finished, isProtected: true);

        cut.HasSeenNew.Should().BeTrue();
        cut.TakeNext().Should().Equal(finished);
    }

    [Fact]
    public void Fragments_that_leave_many_gaps_are_dropped_and_the_message_can_still_be_completed()
    {
        var (cut, taken) = (new HandshakeAssembler(0, Room), 0);
        for (var offset = 1; offset < 998; offset += 2)
        {
            cut.Add(Fragment(type: 1, length: 1000, number: 0, offset, [7]));
            if (cut.HasSeenNew) { taken++; }
        }
        taken.Should().Be(31, "each leaves one gap more, and 32 are kept");

        var body = Enumerable.Range(0, 1000).Select(static at => at % 2 == 1 ? (byte)7 : (byte)at).ToArray();
        cut.Add(Fragment(type: 1, length: 1000, number: 0, offset: 500, body[500..]));
        cut.Add(Fragment(type: 1, length: 1000, number: 0, offset: 0, body[..500]));

        cut.TakeNext().Should().Equal(Fragment(type: 1, length: 1000, number: 0, offset: 0, body));
    }

    [Fact]
    public void An_empty_fragment_of_a_message_with_content_takes_no_memory_and_no_room()
    {
        var cut = new HandshakeAssembler(0, Room);
        cut.Add(Fragment(type: 1, length: Room - 12, number: 1, offset: 0, []));
        cut.HasSeenNew.Should().BeFalse();

        cut.Add(Fragment(type: 1, length: Room - 12, number: 2, offset: 0, [1]));

        cut.HasSeenNew.Should().BeTrue("the first one has not taken the room");
    }

    [Fact]
    public void Memory_is_bounded_and_the_next_message_gets_it_all()
    {
        var cut = new HandshakeAssembler(0, Room);
        for (var number = 1; number < 8; number++) { cut.Add(Fragment(type: 1, length: 1500, number, offset: 0, [1])); }
        cut.Add(Fragment(type: 1, length: 10, number: 8, offset: 0, new byte[10]));
        cut.Add(Fragment(type: 1, length: Room - 12 + 1, number: 0, offset: 0, [1]));
        cut.Add(Fragment(type: 1, length: Room - 12, number: 0, offset: 0, new byte[Room - 12]));

        cut.TakeNext()!.Length.Should().Be(Room);
        cut.TakeNext().Should().BeNull("it was forgotten, and comes again with its flight");
        cut.Add(Fragment(type: 1, length: 10, number: 1, offset: 0, new byte[10]));
        cut.TakeNext().Should().NotBeNull();
    }

    private static byte[] Message(int number, int length, Random random)
    {
        var body = new byte[length];
        random.NextBytes(body);
        return Fragment(type: number, length, number, offset: 0, body);
    }

    // Overlapping fragments of a message. One record can have several of them.
    private static IEnumerable<byte[]> Fragments(byte[] message, Random random)
    {
        var body = message[12..];
        var fragments = new List<byte[]> { Part(0, 0) };
        for (var at = 0; at < body.Length;)
        {
            var end = Math.Min(body.Length, at + random.Next(1, 120));
            fragments.Add(Part(Math.Max(0, at - random.Next(20)), end));
            at = end;
        }
        return fragments.Chunk(random.Next(1, 4)).Select(static chunk => chunk.SelectMany(static one => one).ToArray());

        byte[] Part(int from, int to) => Fragment(message[0], body.Length, message[5], from, body[from..to]);
    }

    private static byte[] Fragment(int type, int length, int number, int offset, byte[] bytes) =>
    [
        (byte)type, 0, (byte)(length >> 8), (byte)length, 0, (byte)number, 0, (byte)(offset >> 8), (byte)offset, 0, (byte)(bytes.Length >> 8), (byte)bytes.Length,
        .. bytes,
    ];
}
