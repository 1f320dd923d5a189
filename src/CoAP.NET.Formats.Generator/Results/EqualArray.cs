using System.Collections.Immutable;

namespace CoAP.Formats.Generation;

/// <summary>An array that equals another one with equal items.</summary>
internal readonly struct EqualArray<T>(ImmutableArray<T> items) : IEquatable<EqualArray<T>>
    where T : IEquatable<T>
{
    public ImmutableArray<T> Items { get; } = items;

    public bool Equals(EqualArray<T> other) => Items.SequenceEqual(other.Items);

    public override bool Equals(object? obj) => obj is EqualArray<T> other && Equals(other);

    public override int GetHashCode() => Items.Length == 0 ? 0 : (Items.Length * 397) ^ Items[0].GetHashCode();
}
