using CoAP.Options;
using CoAP.TestSupport;
using FsCheck;
using FsCheck.Fluent;

namespace CoAP.Serialization;

/// <summary>What holds for any bytes whatever. Failure messages name the seed and the bytes.</summary>
public class SerializerPropertyTests
{
    private const int Runs = 40_000;

    public static TheoryData<bool, int> Seeds => new() { { false, 20260719 }, { false, 2 }, { true, 20260719 }, { true, 3 } };

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Accepts_and_reads_what_the_reference_parser_does(bool isStream, int seed)
    {
        var source = new MessageBytes(seed);
        var accepted = 0;
        for (var run = 0; run < Runs; run++)
        {
            var bytes = source.Next(isStream);
            var expected = isStream ? ReferenceParser.Stream(bytes) : ReferenceParser.Datagram(bytes);
            var isMessage = Serializer(isStream).TryRead(bytes.AsSpan(), out var message, out var error, out _);
            var where = $"seed {seed}, run {run}, {Hex.Text(bytes)}";

            if (isMessage != (expected is not null)) { Assert.Fail($"{where}: {error}, the reference says {expected}"); }
            (error == FormatError.None).Should().Be(isMessage, where);
            if (message is null) { continue; }
            accepted++;
            if (!IsSame(message, expected!)) { Assert.Fail($"{where}: {message}"); }
        }
        accepted.Should().BeInRange(Runs / 4, Runs * 3 / 4, "both outcomes are to be seen often");
    }

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Whatever_is_accepted_serializes_back_to_the_same_bytes(bool isStream, int seed)
    {
        var source = new MessageBytes(seed);
        var serializer = Serializer(isStream);
        for (var run = 0; run < Runs; run++)
        {
            var bytes = source.Next(isStream);
            if (!serializer.TryRead(bytes.AsSpan(), out var message, out _, out _)) { continue; }
            var rebuilt = new CoapMessage
            {
                Type = message.Type,
                Code = message.Code,
                MessageId = message.MessageId,
                Token = message.Token,
                Options = [.. message.Options],
                Payload = message.Payload,
            };

            if (!serializer.Serialize(message).AsSpan().SequenceEqual(bytes)) { Assert.Fail($"seed {seed}, run {run}, {Hex.Text(bytes)}"); }
            if (IsCanonical(message) && !serializer.Serialize(rebuilt).AsSpan().SequenceEqual(bytes))
            {
                Assert.Fail($"seed {seed}, run {run}, {Hex.Text(bytes)} by typed options {rebuilt}");
            }
        }
    }

    [Theory]
    [MemberData(nameof(Seeds))]
    public void No_other_exception_leaves_whatever_the_bytes_and_memory_stays_small(bool isStream, int seed)
    {
        var source = new MessageBytes(seed);
        for (var run = 0; run < Runs / 16; run++)
        {
            var bytes = source.Next(isStream);
            var allocated = Allocations.Of(() => Serializer(isStream).TryRead(bytes.AsSpan(), out _, out _, out _));

            if (allocated > 200 + (2 * bytes.Length)) { Assert.Fail($"seed {seed}, run {run}: {allocated} bytes for {Hex.Text(bytes)}"); }
            ReadAllWays(Serializer(isStream), bytes, $"seed {seed}, run {run}, {Hex.Text(bytes)}");
        }
    }

    [Fact]
    public void Any_bytes_at_all_are_a_message_or_a_format_error()
    {
        var property = Prop.ForAll<byte[]>(bytes =>
        {
            ReadAllWays(CoapMessageSerializer.Datagram, bytes, Hex.Text(bytes));
            ReadAllWays(CoapMessageSerializer.Stream, bytes, Hex.Text(bytes));
            return (ReferenceParser.Datagram(bytes) is not null) == CoapMessageSerializer.Datagram.TryRead(bytes.AsSpan(), out _, out _, out _);
        });

        Check.One(Config.QuickThrowOnFailure.WithMaxTest(2000), property);
    }

    private static CoapMessageSerializer Serializer(bool isStream) => isStream ? CoapMessageSerializer.Stream : CoapMessageSerializer.Datagram;

    private static void ReadAllWays(CoapMessageSerializer serializer, byte[] bytes, string where)
    {
        var isMessage = serializer.TryRead(bytes.AsMemory(), out var message, out _, out _);
        try
        {
            serializer.Deserialize(Segments.Of(bytes, 3)).ShouldBe(message!, where);
            isMessage.Should().BeTrue(where);
        }
        catch (CoapFormatException)
        {
            isMessage.Should().BeFalse(where);
        }
        try
        {
            serializer.Deserialize(new DrippingStream(bytes, 5));
        }
        catch (CoapFormatException)
        {
            isMessage.Should().BeFalse(where);
        }
        foreach (var option in message?.Options ?? []) { option.ToString().Should().NotBeEmpty(); }
        if (message is not null) { OptionCheck.FindUnrecognizedCritical(message.Options, OptionRegistry.Default, message.Code, out _); }
    }

    private static bool IsSame(CoapMessage actual, ReferenceMessage expected)
    {
        var options = new List<(int Number, byte[] Value)>();
        for (var reader = actual.Options.Read(); reader.Next();) { options.Add((reader.Number, reader.Value.ToArray())); }
        return (int)actual.Type == expected.Type && actual.Code.Value == expected.Code && actual.MessageId.Value == expected.Id
            && actual.Token.ToArray().SequenceEqual(expected.Token) && actual.Payload.Span.SequenceEqual(expected.Payload)
            && options.Select(option => (option.Number, Hex.Text(option.Value))).SequenceEqual(expected.Options.Select(option => (option.Number, Hex.Text(option.Value))))
            && actual.Options.Count == expected.Options.Count && actual.Options.Select(option => option.Number).SequenceEqual(options.Select(option => option.Number));
    }

    // The nibbles leave one way only to write a delta or length. A uint may come with leading zeros, or above what it is cut to (RFC 8974, section 2.2.1).
    private static bool IsCanonical(CoapMessage message)
    {
        if (message.Options.OfType<ExtendedTokenLength>().Any(option => option.Value == Token.MaxLength)) { return false; }
        for (var reader = message.Options.Read(); reader.Next();)
        {
            var isUInt = OptionRegistry.Default.TryFind(reader.Number, message.Code, out var declaration) && declaration.Create(reader.Value) is UIntOption;
            if (isUInt && reader.Value is [0, ..] && declaration!.MinLength == 0) { return false; }
        }
        return true;
    }
}
