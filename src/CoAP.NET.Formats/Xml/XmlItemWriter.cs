using System.Buffers;
using System.Globalization;
using System.Text;
using System.Xml;

namespace CoAP.Formats;

/// <summary>Writes items as XML elements. The mapping is described at <see cref="XmlFormat"/>.</summary>
/// <remarks>Closes each element as soon as it has as many items as announced.</remarks>
internal sealed class XmlItemWriter : ItemWriter
{
    public const string Item = "item";
    public const string Instance = "http://www.w3.org/2001/XMLSchema-instance";

    private readonly BufferStream _stream;
    private readonly XmlNames _names = new();
    private readonly XmlDictionaryWriter _xml;
    private readonly IXmlTextWriterInitializer _initializer;
    private Level[] _levels = new Level[8];
    private int _depth;
    private char[] _text = new char[64];

    public XmlItemWriter()
        : this(new BufferStream())
    {
    }

    private XmlItemWriter(BufferStream stream)
    {
        _stream = stream;
        _xml = XmlDictionaryWriter.CreateTextWriter(_stream, Encoding.UTF8, ownsStream: false);
        _initializer = (IXmlTextWriterInitializer)_xml;
    }

    /// <summary>The name of the root element.</summary>
    public string Root { get; set; } = XmlFormat.DefaultRoot;

    private bool IsAtKey => _depth > 0 && _levels[_depth - 1] is { IsMap: true, Name: null };

    public override void WriteNull()
    {
        Open("null");
        _xml.WriteAttributeString("xsi", "nil", Instance, "true");
        Close();
    }

    public override void WriteBoolean(bool value)
    {
        if (TryWriteKey(value ? "true" : "false")) { return; }
        Open();
        _xml.WriteValue(value);
        Close();
    }

    public override void WriteInt64(long value)
    {
        if (IsAtKey)
        {
            SetKey(XmlNames.Of(value));
            return;
        }
        Open();
        _xml.WriteValue(value);
        Close();
    }

    public override void WriteUInt64(ulong value)
    {
        if (value <= long.MaxValue) { WriteInt64((long)value); }
        else if (IsAtKey) { SetKey(XmlNames.Of(value)); }
        else { WriteFormatted(value, default); }
    }

    public override void WriteInt32s(ReadOnlySpan<int> values)
    {
        foreach (var value in values) { WriteInt64(value); }
    }

    public override void WriteSingle(float value)
    {
        if (TryWriteKey(IsAtKey ? XmlConvert.ToString(value) : "")) { return; }
        Open();
        _xml.WriteValue(value);
        Close();
    }

    public override void WriteDouble(double value)
    {
        if (TryWriteKey(IsAtKey ? XmlConvert.ToString(value) : "")) { return; }
        Open();
        _xml.WriteValue(value);
        Close();
    }

    public override void WriteText(ReadOnlySpan<char> value)
    {
        if (IsAtKey)
        {
            SetKey(XmlNames.Of(value.ToString()));
            return;
        }
        XmlText.Check(value);
        if (_text.Length < value.Length) { _text = new char[value.Length]; }
        value.CopyTo(_text);
        WriteChars(value.Length);
    }

    public override void WriteUtf8(ReadOnlySpan<byte> value)
    {
        if (IsAtKey)
        {
            SetKey(_names.Of(value));
            return;
        }
        if (_text.Length < value.Length) { _text = new char[value.Length]; }
        var count = Encoding.UTF8.GetChars(value, _text);
        XmlText.Check(_text.AsSpan(0, count));
        WriteChars(count);
    }

    public override void WriteBytes(ReadOnlySpan<byte> value)
    {
        if (TryWriteKey(IsAtKey ? Convert.ToBase64String(value) : "")) { return; }
        var bytes = ArrayPool<byte>.Shared.Rent(value.Length);
        value.CopyTo(bytes);
        Open();
        _xml.WriteBase64(bytes, 0, value.Length);
        Close();
        ArrayPool<byte>.Shared.Return(bytes);
    }

    public override void WriteArrayStart(int count) => Start(isMap: false, count);

    public override void WriteMapStart(int count) => Start(isMap: true, count);

    public override void WriteTimestamp(DateTimeOffset value)
    {
        const string Format = "yyyy-MM-dd'T'HH:mm:ss.FFFFFFFK";
        if (TryWriteKey(IsAtKey ? value.ToString(Format, CultureInfo.InvariantCulture) : "")) { return; }
        WriteFormatted(value, Format);
    }

    public override void Flush() => _xml.Flush();

    /// <summary>Begins an array without an announced number of items.</summary>
    public void BeginItems() => Start(isMap: false, int.MaxValue);

    /// <summary>Keeps the array of <see cref="BeginItems"/> open, however many items it gets.</summary>
    public void Continue() => _levels[0].Left = int.MaxValue;

    /// <summary>Ends the array of <see cref="BeginItems"/>.</summary>
    public void EndItems()
    {
        _depth = 0;
        _xml.WriteEndElement();
    }

    /// <summary>Forgets the buffer of the last document.</summary>
    public void Release()
    {
        _stream.Output = null;
        if (_text.Length > 4096) { _text = new char[64]; }
    }

    internal override void Reset(IBufferWriter<byte> output)
    {
        _stream.Output = output;
        _initializer.SetOutput(_stream, Encoding.UTF8, ownsStream: false);
        _depth = 0;
    }

    private void WriteChars(int count)
    {
        Open();
        _xml.WriteChars(_text, 0, count);
        Close();
    }

    private void WriteFormatted<T>(T value, ReadOnlySpan<char> format)
        where T : ISpanFormattable
    {
        value.TryFormat(_text, out var count, format, CultureInfo.InvariantCulture);    // at most 33 characters
        WriteChars(count);
    }

    private void Start(bool isMap, int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        Open("an array or a map");
        if (count == 0)
        {
            Close();
            return;
        }
        if (_depth == _levels.Length) { Array.Resize(ref _levels, 2 * _depth); }
        _levels[_depth++] = new Level { IsMap = isMap, Left = count };
    }

    // Begins the element of an item.
    private void Open(string kind = "a value")
    {
        if (_depth == 0)
        {
            _xml.WriteStartElement(Root);
            return;
        }
        ref var level = ref _levels[_depth - 1];
        if (level is { IsMap: true, Name: null })
        {
            throw new NotSupportedException($"The key of a map is {kind}; the XML format writes only scalars as keys.");
        }
        _xml.WriteStartElement(level.IsMap ? level.Name! : Item);
        level.Name = null;
    }

    // Ends the element of an item, and all elements that are complete by that.
    private void Close()
    {
        _xml.WriteEndElement();
        while (_depth > 0 && --_levels[_depth - 1].Left == 0)
        {
            _depth--;
            _xml.WriteEndElement();
        }
    }

    private bool TryWriteKey(string text)
    {
        if (!IsAtKey) { return false; }
        SetKey(XmlNames.Of(text));
        return true;
    }

    private void SetKey(string name) => _levels[_depth - 1].Name = name;

    private struct Level
    {
        public bool IsMap;
        public int Left;
        public string? Name;
    }
}
