using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using System.Text;
using CoAP.Options;

namespace CoAP.Serialization;

/// <summary>A form of a user's own needs three members, and one more to follow one another in a stream.</summary>
public class CustomSerializerTests
{
    private static readonly CoapMessage Message = new() { Code = RequestCode.Post, Payload = Encoding.UTF8.GetBytes(new string('x', 9)) };

    [Fact]
    public async Task A_custom_serializer_supports_arrays_streams_and_pipes()
    {
        var serializer = new LineSerializer();
        var pipe = new Pipe();
        var stream = new MemoryStream();

        serializer.Serialize(stream, Message);
        await serializer.SerializeAsync(stream, Message);
        await serializer.SerializeAsync(pipe.Writer, Message);
        stream.Position = 0;

        Encoding.ASCII.GetString(serializer.Serialize(Message)).Should().Be("02 9 xxxxxxxxx");
        serializer.Deserialize(stream).ShouldBe(Message);
        (await serializer.DeserializeAsync(stream)).ShouldBe(Message);
        serializer.Deserialize(stream).Should().BeNull();
        (await serializer.DeserializeAsync(pipe.Reader)).ShouldBe(Message);
        serializer.Deserialize(serializer.Serialize(Message).AsSpan()).ShouldBe(Message);
    }

    /// <summary>Code in hexadecimal, a digit of length, payload.</summary>
    private sealed class LineSerializer : CoapMessageSerializer
    {
        private const int Head = 5;

        public override int GetHeadSize(CoapMessage message) => Head;

        public override int WriteHead(Span<byte> destination, CoapMessage message) =>
            Encoding.ASCII.GetBytes($"{message.Code.Value:x2} {message.Payload.Length} ", destination);

        public override MessageExtent Measure(ReadOnlySpan<byte> start) =>
            start.Length < Head ? MessageExtent.AtLeast(Head) : MessageExtent.Exactly(Head + start[3] - '0');

        public override bool TryRead(ReadOnlyMemory<byte> bytes, [NotNullWhen(true)] out CoapMessage? message, out FormatError error, out int offset)
        {
            (error, offset) = (FormatError.None, 0);
            var code = Convert.FromHexString(Encoding.ASCII.GetString(bytes.Span[..2]))[0];
            message = new CoapMessage { Code = new CoapCode(code), Options = OptionSet.Empty, Payload = bytes[Head..] };
            return true;
        }
    }
}
