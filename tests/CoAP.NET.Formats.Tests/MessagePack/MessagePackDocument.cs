using System.Buffers;

namespace CoAP.Formats.Tests;

/// <summary>Writes and reads documents of one line.</summary>
internal static class MessagePackDocument
{
    /// <summary>Writes a document and returns it.</summary>
    public static byte[] Write(Action<MessagePackWriter> write)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new MessagePackWriter(output);
        write(writer);
        writer.Flush();
        return output.WrittenSpan.ToArray();
    }

    /// <summary>Writes a document and returns it in hexadecimal digits.</summary>
    public static string WriteHex(Action<MessagePackWriter> write) => Convert.ToHexStringLower(Write(write));

    /// <summary>Reads the one value of a document given in hexadecimal digits.</summary>
    public static T ReadHex<T>(string hex, Func<MessagePackReader, T> read)
    {
        var reader = new MessagePackReader(Convert.FromHexString(hex));
        var value = read(reader);
        reader.ReadEnd();
        return value;
    }

    /// <summary>Reads a document that must be refused, and returns the message.</summary>
    public static string Refuse(string hex, Action<MessagePackReader> read, PayloadLimits? limits = null) =>
        FluentActions.Invoking(() => read(new MessagePackReader(Convert.FromHexString(hex), limits)))
            .Should().Throw<CoapPayloadException>().Which.Message;
}
