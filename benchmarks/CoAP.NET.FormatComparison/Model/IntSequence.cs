using CoAP.FormatComparison.Formats;
using CoAP.FormatComparison.Schemas;

namespace CoAP.FormatComparison.Model;

/// <summary>A flat list of random integers. It recognizes its values without keeping them, so that a verification takes no memory.</summary>
internal sealed record IntSequence(int Seed, int Count)
{
    public int[] ToArray()
    {
        var values = new int[Count];
        new RandomSource(Seed).Fill(values);
        return values;
    }

    /// <summary>Whether a deserialized list has the same values, whatever its type.</summary>
    public bool Matches(object list) => list switch
    {
        int[] values => Matches(values),
        IntCollector values => values.Count == Count && values.Matches(new RandomSource(Seed)),
        IntMessage message => Matches(message.Values),
        Int32List message => Matches(message.Values.Count, message.Values),
        Fixed32List message => Matches(message.Values.Count, message.Values),
        GenericValue message => Matches(message.List.Items.Count, message.List.Items.Select(static item => item.Int32)),
        _ => false,
    };

    private bool Matches(ReadOnlySpan<int> values)
    {
        var random = new RandomSource(Seed);
        foreach (var value in values)
        {
            if (value != random.NextInt32()) { return false; }
        }
        return values.Length == Count;
    }

    private bool Matches(int count, IEnumerable<int> values)
    {
        var random = new RandomSource(Seed);
        return count == Count && values.All(value => value == random.NextInt32());
    }
}
