using System.Collections;
using System.Runtime.CompilerServices;

namespace CoAP.Options;

/// <summary>The options of a message in the order of their numbers. Repeated options keep their order (RFC 7252, section 3.1).</summary>
/// <remarks>
/// Immutable and safe for concurrent use. A set holds the options in their form on the wire. The bytes of a received message are validated when
/// the message is read; typed options are created on demand. A set of typed options is written once, when it is created.
/// </remarks>
[CollectionBuilder(typeof(OptionSet), nameof(Create))]
public readonly record struct OptionSet : IEnumerable<CoapOption>, ISeededKey
{
    // The OptionSpace that creates the typed options of a received set, or the typed options that the set was created from.
    private readonly object? _source;

    /// <summary>Creates a set from options and the bytes that were written from them.</summary>
    internal OptionSet(ReadOnlyMemory<byte> wire, ulong seen, CoapOption[] sorted) => (Wire, Seen, _source) = (wire, seen, sorted);

    /// <summary>Creates a set from options that were validated before.</summary>
    /// <param name="wire">The bytes from the first option to the last one.</param>
    /// <param name="seen">See <see cref="Seen"/>.</param>
    /// <param name="space">Creates the typed options.</param>
    internal OptionSet(ReadOnlyMemory<byte> wire, ulong seen, OptionSpace space)
    {
        Wire = wire;
        Seen = seen;
        _source = space;
    }

    /// <summary>The empty set.</summary>
    public static OptionSet Empty => default;

    /// <summary>Whether the set is empty.</summary>
    public bool IsEmpty => Seen == 0;

    /// <summary>A bit for each option number below 63 that occurs; the last bit stands for all others.</summary>
    internal ulong Seen { get; }

    /// <summary>The bytes from the first option to the last one.</summary>
    internal ReadOnlyMemory<byte> Wire { get; }

    /// <summary>The number of options. Reads all options if the message was received.</summary>
    public int Count
    {
        get
        {
            if (_source is not OptionSpace) { return Typed.Length; }
            var count = 0;
            for (var reader = Read(); reader.Next(); count++) { }
            return count;
        }
    }

    private CoapOption[] Typed => Unsafe.As<CoapOption[]?>(_source) ?? [];

    /// <summary>Creates a set from typed options in any order.</summary>
    /// <exception cref="ArgumentException">An option that must not be repeated occurs twice (RFC 7252, section 5.4.5).</exception>
    public static OptionSet Create(ReadOnlySpan<CoapOption> options) => options.IsEmpty ? default : OptionSetWriter.Write(options.ToArray());

    /// <summary>Whether the set contains an option with this number.</summary>
    public bool Contains(int number)
    {
        if (number < 0 || (Seen & OptionNumber.SeenBit(number)) == 0) { return false; }
        return number < OptionNumber.SharedBit || TryGetValue(number, out _);
    }

    /// <summary>Whether the set contains an option of this type, even with an invalid value.</summary>
    public bool Contains<T>()
        where T : CoapOption, IDeclaredOption => IsSpaceOf(T.Declaration) && Contains(T.Declaration.Number);

    /// <summary>Returns the first option of this type, or <see langword="null"/> if there is none or its value is not valid.</summary>
    public T? Get<T>()
        where T : CoapOption, IDeclaredOption
    {
        var declaration = T.Declaration;
        if ((Seen & OptionNumber.SeenBit(declaration.Number)) == 0) { return null; }
        if (_source is OptionSpace space)
        {
            return (space.Bit & declaration.SpaceBits) != 0 && TryGetValue(declaration.Number, out var value) ? declaration.Create(value) as T : null;
        }
        foreach (var option in Typed)
        {
            if (option is T found) { return found; }
        }
        return null;
    }

    /// <summary>Returns all options of this type with valid values in their order; at most one if the option must not be repeated.</summary>
    public IReadOnlyList<T> GetAll<T>()
        where T : CoapOption, IDeclaredOption
    {
        var declaration = T.Declaration;
        if (!Contains<T>()) { return []; }
        if (_source is not OptionSpace) { return [.. Typed.OfType<T>()]; }
        if (!declaration.IsRepeatable) { return Get<T>() is { } only ? [only] : []; }
        var found = new T[CountOf(declaration.Number)];
        var valid = 0;
        for (var reader = Read(); valid < found.Length && reader.Next() && reader.Number <= declaration.Number;)
        {
            if (reader.Number == declaration.Number && declaration.Create(reader.Value) is T option) { found[valid++] = option; }
        }
        return valid == found.Length ? found : found[..valid];
    }

    /// <summary>Finds the value of the first option with this number.</summary>
    public bool TryGetValue(int number, out ReadOnlySpan<byte> value)
    {
        if (number >= 0 && (Seen & OptionNumber.SeenBit(number)) != 0)
        {
            for (var reader = Read(); reader.Next() && reader.Number <= number;)
            {
                if (reader.Number == number)
                {
                    value = reader.Value;
                    return true;
                }
            }
        }
        value = default;
        return false;
    }

    /// <summary>Returns a set that contains these options as well. Repeatable options follow the existing ones.</summary>
    /// <exception cref="ArgumentException">An option that must not be repeated would occur twice.</exception>
    public OptionSet With(params ReadOnlySpan<CoapOption> options) => Create([.. this, .. options]);

    /// <summary>Returns a set without the options with this number.</summary>
    public OptionSet Without(int number) => Contains(number) ? Create([.. this.Where(option => option.Number != number)]) : this;

    /// <summary>Returns a cursor over numbers and values that allocates nothing.</summary>
    public OptionReader Read() => new(Wire.Span);

    /// <summary>Enumerates the options.</summary>
    /// <remarks>A received option is an <see cref="UnknownOption"/> if it has no declaration, has a wrong value or must not be repeated (RFC 7252,
    /// sections 5.4.3 and 5.4.5).</remarks>
    public Enumerator GetEnumerator() => new(this);

    IEnumerator<CoapOption> IEnumerable<CoapOption>.GetEnumerator() => GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Whether both sets have the same numbers and values in the same order.</summary>
    public bool Equals(OptionSet other) => Seen == other.Seen && Wire.Span.SequenceEqual(other.Wire.Span);

    /// <inheritdoc/>
    public override int GetHashCode() => SeededHash.Of(Wire.Span);

    /// <summary>Returns the options for logs.</summary>
    public override string ToString() => string.Join(", ", this);

    /// <summary>Returns how often an option occurs, without reading its values.</summary>
    internal int CountOf(int number)
    {
        var count = 0;
        for (var reader = Read(); reader.Next() && reader.Number <= number;) { count += reader.Number == number ? 1 : 0; }
        return count;
    }

    // A set of typed options belongs to no message yet, so it has no number space.
    private bool IsSpaceOf(OptionDeclaration declaration) => _source is not OptionSpace space || (space.Bit & declaration.SpaceBits) != 0;

    /// <summary>Enumerates typed options and creates them where necessary. Not safe for concurrent use.</summary>
    public struct Enumerator : IEnumerator<CoapOption>
    {
        private readonly OptionSet _set;
        private int _position;
        private int _number;

        internal Enumerator(OptionSet set)
        {
            _set = set;
            Current = null!;
        }

        /// <summary>The current option.</summary>
        public CoapOption Current { get; private set; }

        readonly object IEnumerator.Current => Current;

        /// <summary>Advances to the next option.</summary>
        public bool MoveNext()
        {
            if (_set._source is OptionSpace space) { return MoveNext(space); }
            var typed = _set.Typed;
            if (_position >= typed.Length) { return false; }
            Current = typed[_position++];
            return true;
        }

        /// <summary>Returns to the start.</summary>
        public void Reset()
        {
            _position = 0;
            _number = 0;
        }

        /// <summary>Does nothing.</summary>
        public readonly void Dispose()
        {
        }

        private bool MoveNext(OptionSpace space)
        {
            var reader = new OptionReader(_set.Wire.Span, _position, _number);
            if (!reader.Next()) { return false; }
            var isRepeated = reader.Number == _number && _position > 0;
            var isKnown = space.TryFind(reader.Number, out var declaration) && (!isRepeated || declaration.IsRepeatable);
            Current = (isKnown ? declaration!.Create(reader.Value) : null) ?? new UnknownOption(reader.Number, reader.Value.ToArray());
            _position = reader.Position;
            _number = reader.Number;
            return true;
        }
    }
}
