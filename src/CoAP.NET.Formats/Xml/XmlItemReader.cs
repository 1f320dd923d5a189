using System.Runtime.InteropServices;
using System.Text;
using System.Xml;

namespace CoAP.Formats;

/// <summary>Reads items from XML elements. The mapping is described at <see cref="XmlFormat"/>.</summary>
/// <remarks>
/// <para>Before an item is read, the parser stands at the start tag of its element, or, after <see cref="Peek"/>, at the first node inside. Before a
/// key is read, it stands at the start tag of the element that the key names.</para>
/// <para>The parser of <see cref="XmlDictionaryReader"/> has no DTDs, no entities other than the five of XML, and no processing instructions. It
/// works on UTF-8 and is reused, so that a small document allocates nothing but its values.</para>
/// </remarks>
internal sealed class XmlItemReader : ItemReader
{
    private const int MostNames = 64 << 10;

    private static readonly byte[] Blank = "<a/>"u8.ToArray();

    private readonly XmlDictionaryReader _xml;
    private readonly IXmlTextReaderInitializer _initializer;
    private PayloadLimits? _limits;
    private XmlDictionaryReaderQuotas _quotas = XmlDictionaryReaderQuotas.Max;
    private ReadOnlyMemory<byte> _payload;
    private readonly XmlOffsets _offsets = new();
    private int[] _counts = new int[8];
    private bool[] _areMaps = new bool[8];
    private int _depth;
    private bool _isAtKey, _isInside, _isEmpty, _isEmptyContainer;
    private string? _text;      // that Peek has read
    private byte[] _utf8 = new byte[64];
    private long _names;

    public XmlItemReader()
    {
        _xml = XmlDictionaryReader.CreateTextReader(Blank, _quotas);
        _initializer = (IXmlTextReaderInitializer)_xml;
    }

    /// <summary>The number to add to offsets from <see cref="Prefix"/> on, if the document is a part of a stream.</summary>
    public long Shift { get; set; }

    /// <summary>The number of bytes at the start of the document whose offsets are not shifted.</summary>
    public int Prefix { get; set; }

    /// <summary>Whether the document is a part of a stream, so that the children of the root are not counted.</summary>
    public bool IsPart { get; set; }

    /// <summary>Whether the reader may be used again. The parser keeps each name that it has seen.</summary>
    public bool IsReusable => _names < MostNames;

    /// <summary>The offset of the start tag of the element that is read, or was read last.</summary>
    public override long Offset => Shifted(_offsets.Find(_payload.Span, _counts.AsSpan(0, _depth)));

    internal override bool EndedEarly => false;

    public override ItemKind Peek()
    {
        if (_isAtKey) { return XmlNames.IsInteger(Name()) ? ItemKind.Integer : ItemKind.Text; }
        if (_depth > 0 && _xml.NodeType == XmlNodeType.EndElement && !_isInside) { return ItemKind.End; }
        if (_xml.EOF) { return ItemKind.End; }
        if (!_isInside)
        {
            if (IsNull()) { return ItemKind.Null; }
            Enter();
        }
        if (_text is null && !_isEmpty && _xml.MoveToContent() == XmlNodeType.Element)
        {
            return _xml.LocalName == XmlItemWriter.Item ? ItemKind.Array : ItemKind.Map;
        }
        return XmlText.KindOf((_text ??= InnerText()).AsSpan().Trim());
    }

    public override bool TryReadNull()
    {
        if (_isAtKey || _isInside || !IsNull()) { return false; }
        if (Content().Length > 0) { throw Error("An element with xsi:nil has a text"); }
        return true;
    }

    public override bool ReadBoolean() => Parse(Scalar(), "true or false", XmlConvert.ToBoolean);

    public override long ReadInt64()
    {
        const string What = "an integer from -2^63 to 2^63 - 1";
        if (_isAtKey || _isInside) { return Parse(Number(), What, XmlConvert.ToInt64); }
        try { return _xml.ReadElementContentAsLong(); }
        catch (XmlException exception) when (IsOfNumber(exception)) { throw NotA(What, exception); }
    }

    public override ulong ReadUInt64() => Parse(Number(), "an integer from 0 to 2^64 - 1", XmlConvert.ToUInt64);

    public override double ReadDouble()
    {
        if (_isAtKey || _isInside) { return Parse(Number(), "a number", XmlConvert.ToDouble); }
        try { return _xml.ReadElementContentAsDouble(); }
        catch (XmlException exception) when (IsOfNumber(exception)) { throw NotA("a number", exception); }
    }

    public override string ReadText() => Scalar();

    public override ReadOnlySpan<byte> ReadUtf8()
    {
        var text = Scalar();
        var most = Encoding.UTF8.GetMaxByteCount(text.Length);
        if (_utf8.Length < most) { _utf8 = new byte[most]; }
        return _utf8.AsSpan(0, Encoding.UTF8.GetBytes(text, _utf8));
    }

    public override byte[] ReadBytes()
    {
        if (_isAtKey || _isInside) { return Parse(Scalar(), "Base64", Convert.FromBase64String); }
        try { return _xml.ReadElementContentAsBase64(); }
        catch (XmlException exception) when (IsOfNumber(exception) || exception.Message.Contains("Base64", StringComparison.Ordinal))
        {
            throw NotA("Base64", exception);
        }
    }

    public override DateTimeOffset ReadTimestamp() => Parse(Scalar(), "a date and time", XmlText.ToTimestamp);

    public override int? ReadArrayStart() => Start(isMap: false);

    public override int? ReadMapStart() => Start(isMap: true);

    public override bool MoveNext()
    {
        if (_depth == 0) { throw new InvalidOperationException("No array or map has been started."); }
        if (_isEmptyContainer || MoveToTag() == XmlNodeType.EndElement)
        {
            _isEmptyContainer = false;
            _xml.Read();
            _depth--;
            return false;
        }
        if (_xml.NodeType != XmlNodeType.Element) { throw Error("An element is required here, not a text"); }
        if (_counts[_depth - 1]++ == _limits!.MaxCount && !(IsPart && _depth == 1))
        {
            throw Error($"The element has more than {_limits!.MaxCount} items; at most {_limits!.MaxCount} are allowed");
        }
        _isAtKey = _areMaps[_depth - 1];
        return true;
    }

    public override void Skip()
    {
        if (_isAtKey) { _isAtKey = false; }
        else if (!_isInside) { _xml.Skip(); }
        else
        {
            while (!_isEmpty && _xml.NodeType != XmlNodeType.EndElement) { _xml.Skip(); }
            Leave();
        }
    }

    public override void ReadEnd()
    {
        if (_depth > 0 || _xml.MoveToContent() != XmlNodeType.None) { throw Error("The XML has more than one value"); }
    }

    /// <summary>Creates the error for an exception that was thrown while the payload was read.</summary>
    public CoapPayloadException ErrorOf(Exception exception)
    {
        var offset = exception is XmlException ? Shifted(XmlErrors.OffsetOf((IXmlLineInfo)_xml, _payload.Span)) : Offset;
        return new CoapPayloadException($"{XmlErrors.Describe(exception, _limits!)} (at byte {offset}).", offset, exception);
    }

    /// <summary>Forgets the payload.</summary>
    public void Release()
    {
        _payload = default;
        (Shift, Prefix, IsPart) = (0, 0, false);
        _initializer.SetInput(Blank, 0, Blank.Length, Encoding.UTF8, _quotas, null);
        if (_utf8.Length > 4096) { _utf8 = new byte[64]; }
    }

    internal override void Reset(ReadOnlyMemory<byte> payload, PayloadLimits limits)
    {
        if (!ReferenceEquals(limits, _limits)) { SetLimits(limits); }
        _payload = payload;
        _offsets.Reset();
        (_depth, _isAtKey, _isInside, _isEmpty, _isEmptyContainer, _text) = (0, false, false, false, false, null);
        if (!MemoryMarshal.TryGetArray(payload, out var bytes)) { bytes = payload.ToArray(); }
        try { _initializer.SetInput(bytes.Array!, bytes.Offset, bytes.Count, Encoding.UTF8, _quotas, null); }
        catch (IndexOutOfRangeException exception) { throw XmlErrors.OfDeclaration(exception); }
        if (_xml.MoveToContent() != XmlNodeType.Element) { throw Error("The XML has no root element"); }
    }

    private long Shifted(long offset) => offset < Prefix ? offset : offset + Shift;

    private static bool IsOfNumber(XmlException exception) => exception.InnerException is FormatException or OverflowException;

    private CoapPayloadException NotA(string what, Exception exception) =>
        new($"The text of the element is not {what} (at byte {Offset}).", Offset, exception);

    private T Parse<T>(string text, string what, Func<string, T> parse)
    {
        try { return parse(text); }
        catch (Exception exception) when (exception is FormatException or OverflowException or ArgumentException) { throw NotA(what, exception); }
    }

    private bool IsNull() => _xml.AttributeCount > 0 && _xml.GetAttribute("nil", XmlItemWriter.Instance) is "true" or "1";

    private string Name()
    {
        var name = _xml.LocalName;
        _names += name.Length;
        return name;
    }

    private string Scalar() => Valid(_isAtKey ? XmlNames.ToText(Key()) : Content());

    private string Number()
    {
        if (!_isAtKey) { return Content(); }
        var name = Key();
        return XmlNames.IsInteger(name) ? name[1..] : XmlNames.ToText(name);
    }

    private string Key()
    {
        _isAtKey = false;
        return Name();
    }

    // Reads the text of an element, and moves behind its end.
    private string Content()
    {
        if (!_isInside) { return _xml.ReadElementContentAsString(); }
        var text = _text ?? InnerText();
        Leave();
        return text;
    }

    private string InnerText()
    {
        var text = _isEmpty ? "" : _xml.ReadContentAsString();
        return _isEmpty || _xml.NodeType == XmlNodeType.EndElement ? text : throw Error("A text is required here, not an element");
    }

    // The parser accepts references to characters that XML does not have, such as U+0000.
    private string Valid(string text)
    {
        var at = XmlText.IndexOfInvalid(text);
        if (at >= 0) { throw Error($"The text contains U+{(int)text[at]:X4}, which XML does not allow"); }
        if (text.Length > _limits!.MaxLength || (text.Length > _limits.MaxLength / 3 && Encoding.UTF8.GetByteCount(text) > _limits.MaxLength))
        {
            throw Error($"The text has {Encoding.UTF8.GetByteCount(text)} bytes; at most {_limits.MaxLength} are allowed");
        }
        return text;
    }

    private void Enter()
    {
        if (_isInside) { return; }
        (_isInside, _isEmpty) = (true, _xml.IsEmptyElement);
        if (!_isEmpty) { _xml.Read(); }
    }

    private void Leave()
    {
        (_isInside, _isEmpty, _text) = (false, false, null);
        _xml.Read();
    }

    private int? Start(bool isMap)
    {
        if (_isAtKey) { throw Error("The name of an element cannot stand for an array or a map"); }
        if (!_isInside && IsNull()) { throw Error("The element is null; an array or a map is required"); }
        if (_text?.Length > 0) { throw Error("An array or a map is required here, not a text"); }
        if (_depth == _limits!.MaxDepth) { throw Error($"The XML has more than {_limits.MaxDepth} levels; at most {_limits.MaxDepth} are allowed"); }
        if (_depth == _counts.Length)
        {
            Array.Resize(ref _counts, 2 * _depth);
            Array.Resize(ref _areMaps, 2 * _depth);
        }
        (_counts[_depth], _areMaps[_depth]) = (0, isMap);
        _depth++;
        Enter();
        (_isEmptyContainer, _isInside, _isEmpty, _text) = (_isEmpty, false, false, null);
        return null;
    }

    private XmlNodeType MoveToTag()
    {
        while (_xml.MoveToContent() is XmlNodeType.Text or XmlNodeType.CDATA && string.IsNullOrWhiteSpace(_xml.Value)) { _xml.Read(); }
        return _xml.NodeType;
    }

    private void SetLimits(PayloadLimits limits)
    {
        _limits = limits;
        // A scalar in the innermost array adds an element, and the text of bytes is longer than the bytes.
        _quotas = XmlQuotas.Create(limits, limits.MaxDepth + 1, 2L * limits.MaxLength);
    }
}
