using System.Collections;
using System.Runtime.CompilerServices;

namespace CoAP.Options;

/// <summary>The options of a message in the order of their numbers; repeated ones keep the order in which they were given (RFC 7252, section 3.1).</summary>
/// <remarks>
/// Immutable. What was received stays as bytes: the region was checked as a whole when the message was read, and a typed option is made only
/// when it is asked for. Safe for concurrent use.
/// </remarks>
[CollectionBuilder(typeof(OptionSet), nameof(Create))]
public readonly partial struct OptionSet : IEnumerable<CoapOption>, IEquatable<OptionSet>
{
    private readonly ReadOnlyMemory<byte> _wire;
    private readonly CoapOption[]? _typed;
    private readonly OptionRegistry? _registry;
    private readonly ulong _seen;
    private readonly CoapCode _space;

    private OptionSet(CoapOption[] sorted, ulong seen)
    {
        _typed = sorted;
        _seen = seen;
    }

    /// <summary>Takes a region that was checked before.</summary>
    /// <param name="wire">The bytes from the first option to the last one.</param>
    /// <param name="seen">A bit for each number below 63, the last bit for all others.</param>
    /// <param name="registry">Makes the typed options.</param>
    /// <param name="code">The message's code: signaling codes have number spaces of their own.</param>
    internal OptionSet(ReadOnlyMemory<byte> wire, ulong seen, OptionRegistry registry, CoapCode code)
    {
        _wire = wire;
        _seen = seen;
        _registry = registry;
        _space = code.IsSignal ? code : default;
    }

    /// <summary>No options.</summary>
    public static OptionSet Empty => default;

    /// <summary>Whether there are no options.</summary>
    public bool IsEmpty => _seen == 0;

    /// <summary>A bit for each option number below 63 that occurs, the last bit for all others.</summary>
    internal ulong Seen => _seen;

    /// <summary>The number of options; takes a walk where the message was received.</summary>
    public int Count
    {
        get
        {
            if (_typed is not null) { return _typed.Length; }
            var count = 0;
            for (var reader = new OptionReader(_wire.Span); reader.Next(); count++) { }
            return count;
        }
    }

    /// <summary>Makes a set of typed options in any order.</summary>
    /// <exception cref="ArgumentException">An option that may occur once occurs twice (RFC 7252, section 5.4.5).</exception>
    public static OptionSet Create(ReadOnlySpan<CoapOption> options)
    {
        if (options.IsEmpty) { return default; }
        var sorted = options.ToArray();
        var seen = 0UL;
        var previous = -1;
        var inOrder = true;
        foreach (var option in sorted)
        {
            seen |= OptionNumber.SeenBit(option.Number);
            inOrder &= option.Number >= previous;
            previous = option.Number;
        }
        if (!inOrder) { SortStably(sorted); }
        ThrowIfSupernumerary(sorted);
        return new OptionSet(sorted, seen);
    }

    /// <summary>Whether an option of this number occurs.</summary>
    public bool Contains(int number)
    {
        if ((_seen & OptionNumber.SeenBit(number)) == 0) { return false; }
        return number < 63 || TryGetValue(number, out _);
    }

    /// <summary>Whether an option of this type occurs, valid or not.</summary>
    public bool Contains<T>()
        where T : CoapOption, IDeclaredOption => Contains(T.Declaration.Number);

    /// <summary>The first option of this type, or <see langword="null"/> where there is none with a valid value.</summary>
    public T? Get<T>()
        where T : CoapOption, IDeclaredOption
    {
        var number = T.Declaration.Number;
        if ((_seen & OptionNumber.SeenBit(number)) == 0) { return null; }
        if (_typed is null) { return TryGetValue(number, out var value) ? T.Declaration.Create(value) as T : null; }
        foreach (var option in _typed)
        {
            if (option is T found) { return found; }
        }
        return null;
    }

    /// <summary>All options of this type with valid values, in order.</summary>
    public IReadOnlyList<T> GetAll<T>()
        where T : CoapOption, IDeclaredOption
    {
        if (!Contains<T>()) { return []; }
        if (_typed is not null) { return [.. _typed.OfType<T>()]; }
        var found = new List<T>();
        for (var reader = new OptionReader(_wire.Span); reader.Next() && reader.Number <= T.Declaration.Number;)
        {
            if (reader.Number == T.Declaration.Number && T.Declaration.Create(reader.Value) is T option) { found.Add(option); }
        }
        return found;
    }

    /// <summary>The bytes of the first option of this number.</summary>
    public bool TryGetValue(int number, out ReadOnlySpan<byte> value)
    {
        if ((_seen & OptionNumber.SeenBit(number)) != 0)
        {
            for (var reader = new OptionReader(AsRegion()); reader.Next() && reader.Number <= number;)
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

    /// <summary>A cursor over numbers and bytes that makes no objects for received options.</summary>
    public OptionReader Read() => new(AsRegion());

    /// <summary>The options one after another; received ones without a declaration, or with a wrong value, come as <see cref="UnknownOption"/>.</summary>
    public IEnumerator<CoapOption> GetEnumerator() => ((IEnumerable<CoapOption>)(_typed ?? ToTyped())).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Whether both have the same numbers and bytes in the same order.</summary>
    public bool Equals(OptionSet other) => _seen == other._seen && AsRegion().SequenceEqual(other.AsRegion());

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is OptionSet other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        var hash = new HashCode();
        hash.AddBytes(AsRegion());
        return hash.ToHashCode();
    }

    /// <summary>Whether both have the same options.</summary>
    public static bool operator ==(OptionSet left, OptionSet right) => left.Equals(right);

    /// <summary>Whether the options differ.</summary>
    public static bool operator !=(OptionSet left, OptionSet right) => !left.Equals(right);

    /// <summary>The options one after another, for log lines.</summary>
    public override string ToString() => string.Join(", ", this);

    private CoapOption[] ToTyped()
    {
        if (_wire.IsEmpty) { return []; }
        var options = new List<CoapOption>();
        for (var reader = new OptionReader(_wire.Span); reader.Next();)
        {
            var typed = _registry!.TryFind(reader.Number, _space, out var declaration) ? declaration.Create(reader.Value) : null;
            options.Add(typed ?? new UnknownOption(reader.Number, reader.Value.ToArray()));
        }
        return [.. options];
    }

    private static void SortStably(CoapOption[] options)
    {
        // Insertion sort: sets are short and nearly in order, and equal numbers must stay in the order given.
        for (var i = 1; i < options.Length; i++)
        {
            var option = options[i];
            var place = i;
            for (; place > 0 && options[place - 1].Number > option.Number; place--) { options[place] = options[place - 1]; }
            options[place] = option;
        }
    }

    private static void ThrowIfSupernumerary(CoapOption[] sorted)
    {
        for (var i = 1; i < sorted.Length; i++)
        {
            var option = sorted[i];
            if (option.Number == sorted[i - 1].Number && !option.IsRepeatable)
            {
                throw new ArgumentException($"Option {option.Number} ({option.GetType().Name}) occurs twice; it may occur once (RFC 7252, section 5.4.5).");
            }
        }
    }
}
