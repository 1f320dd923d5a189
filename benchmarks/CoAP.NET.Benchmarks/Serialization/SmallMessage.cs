using System.IO.Pipelines;
using System.Text;
using CoAP.Benchmarks.HandWritten;
using CoAP.Options;
using CoAP.Serialization;

namespace CoAP.Benchmarks.Serialization;

/// <summary>One small message, and what is done with it by hand and by us.</summary>
internal sealed class SmallMessage : IDisposable
{
    private readonly CoapMessageSerializer _serializer = CoapMessageSerializer.Datagram;
    private readonly Func<CoapMessage> _build;
    private readonly CoapMessage _message;
    private readonly byte[] _bytes;
    private readonly PlainMessage _plain;
    private readonly Stream _stream;
    private readonly byte[] _frame;
    private readonly Pipe _pipe = new();

    private SmallMessage(string name, int size, Func<CoapMessage> build)
    {
        (Name, _build, _message) = (name, build, build());
        _bytes = _serializer.Serialize(_message);
        _plain = PlainParser.Parse(_bytes)!;
        _stream = new MemoryStream(_bytes);
        _frame = CoapMessageSerializer.Stream.Serialize(_message);
        var isSame = PlainWriter.Write(_plain).AsSpan().SequenceEqual(_bytes) && HandWrittenRead() == ReadTyped() && GetTyped() == ReadTyped();
        if (_bytes.Length != size || !isSame) { throw new InvalidOperationException($"{name}: {_bytes.Length} bytes, {HandWrittenRead()} and {ReadTyped()} read."); }
    }

    /// <summary>A GET of 21 bytes, an answer of 50, a block of 1,024 with what goes with it.</summary>
    public static IReadOnlyList<SmallMessage> All { get; } =
    [
        new("GET", 21, () => SmallMessages.Get),
        new("2.05", 50, () => SmallMessages.Content),
        new("block", 1024 + 18, () => SmallMessages.Block),
    ];

    public string Name { get; }

    public override string ToString() => Name;

    public PlainMessage HandWrittenDecode() => PlainParser.Parse(_bytes)!;

    public CoapMessage Decode() => _serializer.Deserialize(_bytes.AsSpan());

    public CoapMessage DecodeInPlace() => _serializer.Deserialize(_bytes.AsMemory());

    /// <summary>Every value as what it is: text, number or bytes of its own.</summary>
    public long HandWrittenRead()
    {
        var message = PlainParser.Parse(_bytes)!;
        var sum = 0L;
        foreach (ref readonly var option in message.Options.AsSpan())
        {
            var value = message.Value(option);
            sum += option.Number switch
            {
                3 or 8 or 11 or 15 or 20 => Encoding.UTF8.GetString(value).Length,
                1 or 4 => value.ToArray().Length,
                _ => ReadUInt(value),
            };
        }
        return sum;
    }

    /// <summary>Every option as its type.</summary>
    public long ReadTyped()
    {
        var sum = 0L;
        foreach (var option in _serializer.Deserialize(_bytes.AsSpan()).Options)
        {
            sum += option switch
            {
                UriPath segment => segment.Value.Length,
                ContentFormat format => format.Value,
                MaxAge age => age.Value,
                ETag tag => tag.Value.Length,
                Block2 block => block.Value,
                _ => throw new InvalidOperationException($"An option that is not read: {option}."),
            };
        }
        return sum;
    }

    /// <summary>Every option that the message has, asked for by its type.</summary>
    public long GetTyped()
    {
        var options = _serializer.Deserialize(_bytes.AsSpan()).Options;
        var sum = 0L;
        if (options.Contains<UriPath>())
        {
            foreach (var segment in options.GetAll<UriPath>()) { sum += segment.Value.Length; }
        }
        if (options.Get<ETag>() is { } tag) { sum += tag.ValueLength; }
        if (options.Get<ContentFormat>() is { } format) { sum += format.Value; }
        if (options.Get<MaxAge>() is { } age) { sum += age.Value; }
        if (options.Get<Block2>() is { } block) { sum += block.Value; }
        return sum;
    }

    public byte[] HandWrittenEncode() => PlainWriter.Write(_plain);

    public byte[] Encode() => _serializer.Serialize(_message);

    public byte[] BuildAndEncode() => _serializer.Serialize(_build());

    public CoapMessage? FromStream()
    {
        _stream.Position = 0;
        return _serializer.Deserialize(_stream);
    }

    public ValueTask<CoapMessage?> FromStreamAsync()
    {
        _stream.Position = 0;
        return _serializer.DeserializeAsync(_stream);
    }

    /// <summary>Through a pipe, in the form of byte streams; writing to the pipe is part of it.</summary>
    public async ValueTask<CoapMessage?> FromPipeAsync()
    {
        await _pipe.Writer.WriteAsync(_frame);
        return await CoapMessageSerializer.Stream.DeserializeAsync(_pipe.Reader);
    }

    public void Dispose() => _stream.Dispose();

    private static uint ReadUInt(ReadOnlySpan<byte> value)
    {
        var result = 0U;
        foreach (var part in value) { result = (result << 8) | part; }
        return result;
    }
}
