using System.Diagnostics.CodeAnalysis;

namespace CoAP.Problems;

/// <summary>Reads problem details from untrusted bytes (RFC 9290, section 2).</summary>
internal ref struct ProblemReader(ReadOnlyMemory<byte> bytes)
{
    /// <summary>The largest number of entries of a map, and of option numbers in it.</summary>
    public const int MaxEntries = 64;

    private readonly HashSet<(long?, string?)> _keys = new(SeededComparer<(long?, string?)>.Default);
    private readonly List<ProblemEntry> _entries = [];
    private CborReader _reader = new(bytes.Span);
    private ProblemDetails _problem = new();

    public static bool TryRead(ReadOnlyMemory<byte> bytes, [NotNullWhen(true)] out ProblemDetails? problem)
    {
        var reader = new ProblemReader(bytes);
        problem = reader.TryReadAll() ? reader._problem with { Entries = reader._entries } : null;
        return problem is not null;
    }

    private bool TryReadAll()
    {
        if (!_reader.TryEnter(CborKind.Map, out var count) || count > MaxEntries) { return false; }
        while (_reader.HasNext(ref count))
        {
            if (_keys.Count == MaxEntries || !TryReadEntry()) { return false; }
        }
        return _keys.Count > 0 && _reader.IsAtEnd;
    }

    private bool TryReadEntry()
    {
        var key = 0L;
        string? uri = null;
        var isText = _reader.Kind == CborKind.Text;
        if (isText ? !_reader.TryReadText(out uri) : !_reader.TryReadInteger(out key)) { return false; }
        long? number = isText ? null : key;
        if (!_keys.Add((number, uri))) { return false; }
        return number is < 0 and >= ProblemDetails.LastKnownKey ? TryReadKnown((int)number) : TryKeep(number, uri);
    }

    private bool TryReadKnown(int key) => key switch
    {
        -1 => TryReadText(out var title) && Set(_problem with { Title = title }),
        -2 => TryReadText(out var detail) && Set(_problem with { Detail = detail }),
        -3 => _reader.TryReadText(out var instance) && Set(_problem with { Instance = instance }),
        -4 => _reader.TryReadInteger(out var code) && code is >= 0 and <= byte.MaxValue && Set(_problem with { ResponseCode = new CoapCode((byte)code) }),
        -5 => _reader.TryReadText(out var uri) && Set(_problem with { BaseUri = uri }),
        -6 => _reader.TryReadText(out var language) && ProblemText.IsLanguageTag(language) && Set(_problem with { BaseLanguage = language }),
        -7 => _reader.TryReadDirection(out var direction) && Set(_problem with { BaseDirection = direction }),
        -8 => TryReadNumbers(out var numbers) && Set(_problem with { UnprocessedOptions = numbers }),
        _ => false,
    };

    private bool Set(ProblemDetails problem)
    {
        _problem = problem;
        return true;
    }

    private bool TryKeep(long? number, string? uri)
    {
        var start = _reader.Position;
        if (number is null or >= 0 && _reader.Kind != CborKind.Map) { return false; }
        if (!_reader.TrySkip()) { return false; }
        _entries.Add(new ProblemEntry(number, uri, bytes[start.._reader.Position]));
        return true;
    }

    private bool TryReadText([NotNullWhen(true)] out ProblemText? text)
    {
        text = null;
        if (_reader.Kind == CborKind.Text)
        {
            if (_reader.TryReadText(out var plain)) { text = new ProblemText(plain); }
            return text is not null;
        }
        if (!_reader.TryEnter(CborKind.Tag, out var tag) || tag != ProblemWriter.LanguageTag) { return false; }
        if (!_reader.TryEnter(CborKind.Array, out var count) || count is not (2 or 3)) { return false; }
        if (!_reader.TryReadText(out var language) || !ProblemText.IsLanguageTag(language) || !_reader.TryReadText(out var words)) { return false; }
        var direction = TextDirection.Auto;
        if (count == 3 && !_reader.TryReadDirection(out direction)) { return false; }
        text = new ProblemText(words, language, count == 3 ? direction : null);
        return true;
    }

    private bool TryReadNumbers(out IReadOnlyList<uint> numbers)
    {
        var found = new List<uint>();
        numbers = found;
        if (_reader.Kind != CborKind.Array) { return TryReadNumber(found); }
        if (!_reader.TryEnter(CborKind.Array, out var count) || count > MaxEntries) { return false; }
        while (_reader.HasNext(ref count))
        {
            if (found.Count == MaxEntries || !TryReadNumber(found)) { return false; }
        }
        return found.Count >= 2;
    }

    private bool TryReadNumber(List<uint> numbers)
    {
        if (!_reader.TryReadInteger(out var number) || number is < 0 or > uint.MaxValue) { return false; }
        numbers.Add((uint)number);
        return true;
    }
}
