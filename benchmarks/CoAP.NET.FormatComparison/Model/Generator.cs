namespace CoAP.FormatComparison.Model;

/// <summary>Creates random values of one shape: the f: () → SerializableData of the source document (section 5.1).</summary>
/// <param name="Create">Creates a value. The values of a generator are independent of each other.</param>
/// <param name="Bits">The entropy of one value, in bits: the least that any lossless format can take on average.</param>
internal sealed record Generator(Func<RandomSource, Datum> Create, double Bits);

/// <summary>The generators of the source document and its combinators (section 5.1, figure 1).</summary>
internal static class Generators
{
    public static Generator RandomBoolean { get; } = new(static random => new BooleanDatum((random.NextBits() & 1) == 1), 1);

    public static Generator RandomInt { get; } = new(static random => new Int32Datum(random.NextInt32()), 32);

    public static Generator RandomBigInt { get; } = new(static random => new Int64Datum((long)random.NextBits()), 64);

    public static Generator RandomFloat { get; } = new(static random => new SingleDatum(random.NextSingle()), 25);

    public static Generator RandomBigFloat { get; } = new(static random => new DoubleDatum(random.NextDouble()), 54);

    /// <summary>The six primitive generators with the names of their types. Texts have 15 characters.</summary>
    public static IReadOnlyList<(string Name, Generator Generator)> Primitives { get; } =
    [
        ("bool", RandomBoolean), ("int32", RandomInt), ("int64", RandomBigInt),
        ("float32", RandomFloat), ("float64", RandomBigFloat), ("string", RandomString(15)),
    ];

    public static Generator RandomString(int length) => new(random => new TextDatum(random.NextText(length)), length * RandomSource.BitsPerLetter);

    public static Generator RandomList(int count, Generator item) => new(random => new ListDatum(Repeat(count, item, random)), count * item.Bits);

    public static Generator RandomPair(int keyLength, Generator value) =>
        new(random => new PairDatum(random.NextText(keyLength), value.Create(random)), (keyLength * RandomSource.BitsPerLetter) + value.Bits);

    /// <summary>Chooses one of the generators for each value.</summary>
    /// <remarks>The entropy holds if a value tells which generator created it.</remarks>
    public static Generator RandomChoice(params Generator[] generators) => new(
        random => generators[random.NextBelow(generators.Length)].Create(random),
        Math.Log2(generators.Length) + generators.Average(static one => one.Bits));

    /// <summary>Chooses the first of the generators for a share of the values, and any of them with the same probability for the others.</summary>
    /// <param name="homogeneity">The share: 1 if all values come from the first generator, 0 if each generator is as likely as the others.</param>
    /// <param name="generators">The generators.</param>
    /// <remarks>The entropy holds if a value tells which generator created it.</remarks>
    public static Generator RandomMix(double homogeneity, params IReadOnlyList<Generator> generators)
    {
        var other = (1 - homogeneity) / generators.Count;
        var bits = generators.Select((one, at) => (Share: at == 0 ? homogeneity + other : other, one.Bits)).Where(static one => one.Share > 0)
            .Sum(static one => one.Share * (one.Bits - Math.Log2(one.Share)));
        return new(random => generators[random.NextUnit() < homogeneity ? 0 : random.NextBelow(generators.Count)].Create(random), bits);
    }

    /// <summary>Lists in lists. The innermost ones contain the leaves.</summary>
    /// <param name="depth">The number of lists inside one another.</param>
    /// <param name="breadth">The number of items of each list.</param>
    /// <param name="leaf">Creates the items of the innermost lists.</param>
    public static Generator RandomTree(int depth, int breadth, Generator leaf) =>
        depth == 0 ? leaf : RandomList(breadth, RandomTree(depth - 1, breadth, leaf));

    /// <summary>The list of figure 1.</summary>
    public static Generator Figure1(int count = 100) => RandomList(count, RandomChoice(
        RandomInt, RandomFloat, RandomString(3), RandomPair(5, RandomChoice(RandomBoolean, RandomBigFloat))));

    private static Datum[] Repeat(int count, Generator item, RandomSource random)
    {
        var items = new Datum[count];
        for (var at = 0; at < count; at++) { items[at] = item.Create(random); }
        return items;
    }
}
