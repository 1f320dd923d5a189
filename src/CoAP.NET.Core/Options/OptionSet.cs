using System.Collections;
using System.Runtime.CompilerServices;

namespace CoAP.Options;

/// <summary>The options of a message in the order of their numbers; repeated ones keep the order in which they were given (RFC 7252, section 3.1).</summary>
/// <remarks>
/// Immutable. A set is the bytes that stand in the message: those of a received one were checked as a whole when the message was read, and a
/// typed option is made only when it is asked for; a set of typed options is written once, when it is made. Safe for concurrent use.
/// </remarks>
[CollectionBuilder(typeof(OptionSet), nameof(Create))]
public readonly partial struct OptionSet : IEnumerable<CoapOption>, IEquatable<OptionSet>
{
    private readonly ReadOnlyMemory<byte> _wire;
    private readonly ulong _seen;

    // A received set has the OptionSpace that makes its typed options, any other the options that it was made of.
    private readonly object? _source;

    private OptionSet(ReadOnlyMemory<byte> wire, ulong seen, CoapOption[] sorted)
    {
        _wire = wire;
        _seen = seen;
        _source = sorted;
    }

    /// <summary>Takes a region that was checked before.</summary>
    /// <param name="wire">The bytes from the first option to the last one.</param>
    /// <param name="seen">See <see cref="Seen"/>.</param>
    /// <param name="space">Makes the typed options.</param>
    internal OptionSet(ReadOnlyMemory<byte> wire, ulong seen, OptionSpace space)
    {
        _wire = wire;
        _seen = seen;
        _source = space;
    }

    /// <summary>No options.</summary>
    public static OptionSet Empty => default;

    /// <summary>Whether there are no options.</summary>
    public bool IsEmpty => _seen == 0;

    /// <summary>A bit for each option number below 63 that occurs, the last bit for all others.</summary>
    internal ulong Seen => _seen;

    /// <summary>The bytes from the first option to the last one.</summary>
    internal ReadOnlyMemory<byte> Wire => _wire;

    /// <summary>The number of options; takes a walk where the message was received.</summary>
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

    /// <summary>Makes a set of typed options in any order.</summary>
    /// <exception cref="ArgumentException">An option that may occur once occurs twice (RFC 7252, section 5.4.5).</exception>
    public static OptionSet Create(ReadOnlySpan<CoapOption> options) => options.IsEmpty ? default : OptionSetWriter.Write(options.ToArray());

    /// <summary>Whether an option of this number occurs.</summary>
    public bool Contains(int number)
    {
        if (number < 0 || (_seen & OptionNumber.SeenBit(number)) == 0) { return false; }
        return number < OptionNumber.SharedBit || TryGetValue(number, out _);
    }

    /// <summary>Whether an option of this type occurs, valid or not.</summary>
    public bool Contains<T>()
        where T : CoapOption, IDeclaredOption => IsSpaceOf(T.Declaration) && Contains(T.Declaration.Number);

    /// <summary>The first option of this type, or <see langword="null"/> where it is not there or its value is not valid.</summary>
    public T? Get<T>()
        where T : CoapOption, IDeclaredOption
    {
        var declaration = T.Declaration;
        if ((_seen & OptionNumber.SeenBit(declaration.Number)) == 0) { return null; }
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

    /// <summary>All options of this type with valid values, in order; one at most where the option may occur once.</summary>
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

    /// <summary>The bytes of the first option of this number.</summary>
    public bool TryGetValue(int number, out ReadOnlySpan<byte> value)
    {
        if (number >= 0 && (_seen & OptionNumber.SeenBit(number)) != 0)
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

    /// <summary>The set with these options as well; repeatable ones come behind those that are there.</summary>
    /// <exception cref="ArgumentException">An option that may occur once would occur twice.</exception>
    public OptionSet With(params ReadOnlySpan<CoapOption> options) => Create([.. this, .. options]);

    /// <summary>The set without the options of this number.</summary>
    public OptionSet Without(int number) => Contains(number) ? Create([.. this.Where(option => option.Number != number)]) : this;

    /// <summary>A cursor over numbers and bytes that makes no objects.</summary>
    public OptionReader Read() => new(_wire.Span);

    /// <summary>
    /// The options one after another. Received ones come as <see cref="UnknownOption"/> where they have no declaration, a wrong value, or occur
    /// more often than they may (RFC 7252, sections 5.4.3 and 5.4.5).
    /// </summary>
    public Enumerator GetEnumerator() => new(this);

    IEnumerator<CoapOption> IEnumerable<CoapOption>.GetEnumerator() => GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Whether both have the same numbers and bytes in the same order.</summary>
    public bool Equals(OptionSet other) => _seen == other._seen && _wire.Span.SequenceEqual(other._wire.Span);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is OptionSet other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        var hash = new HashCode();
        hash.AddBytes(_wire.Span);
        return hash.ToHashCode();
    }

    /// <summary>Whether both have the same options.</summary>
    public static bool operator ==(OptionSet left, OptionSet right) => left.Equals(right);

    /// <summary>Whether the options differ.</summary>
    public static bool operator !=(OptionSet left, OptionSet right) => !left.Equals(right);

    /// <summary>The options one after another, for log lines.</summary>
    public override string ToString() => string.Join(", ", this);

    /// <summary>Makes a set whose bytes were written from these options.</summary>
    internal static OptionSet Of(byte[] wire, ulong seen, CoapOption[] sorted) => new(wire, seen, sorted);

    private int CountOf(int number)
    {
        var count = 0;
        for (var reader = Read(); reader.Next() && reader.Number <= number;) { count += reader.Number == number ? 1 : 0; }
        return count;
    }

    // A set that was built knows no message yet, so its options are found by their types alone.
    private bool IsSpaceOf(OptionDeclaration declaration) => _source is not OptionSpace space || (space.Bit & declaration.SpaceBits) != 0;
}
