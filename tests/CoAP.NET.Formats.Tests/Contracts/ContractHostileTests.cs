using CoAP.Formats.Tests.Shapes;

namespace CoAP.Formats.Tests;

public sealed class ContractHostileTests
{
    private static readonly Action<byte[]>[] Readers =
    [
        payload => ContractRuns.Read<Collected>(payload), payload => ContractRuns.Read<Node>(payload), payload => ContractRuns.Read<Numbers>(payload),
        payload => ContractRuns.Read<Page<Reading>>(payload), payload => ContractRuns.Read<Numbered>(payload),
        payload => ContractRuns.Read<List<List<Reading>>>(payload),
        payload => ContractRuns.Read<Sparse>(payload),
    ];

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public void Random_bytes_break_nothing(int reader)
    {
        var random = new Random(16);
        byte[][] valid =
        [
            ContractRuns.Write(ContractSamples.Collected()), ContractRuns.Write(ContractSamples.Node(random)),
            ContractRuns.Write(ContractSamples.Numbers(random)),
            ContractRuns.Write(new Page<Reading>([ContractSamples.Reading(random)], 1)), ContractRuns.Write(new Numbered("a", 1)),
            ContractRuns.Write<List<List<Reading>>>([[ContractSamples.Reading(random)], []]), ContractRuns.Write(new Sparse { Name = "a" }),
        ];

        HostileInputs.Run([valid[reader], .. valid], Readers[reader], seed: 1600 + reader, HostileInputs.Count / Readers.Length);
    }

    [Fact]
    public void Nested_arrays_that_announce_all_bytes_cost_little()
    {
        // {"Children": [{"Children": [...]}]} with 60 levels, each of which announces as many items as bytes are left.
        var payload = new List<byte>();
        for (var depth = 0; depth < 30; depth++) { payload.AddRange([0xA1, 0x68, .. "Children"u8, 0x99, 0x20, 0x00]); }
        payload.AddRange(new byte[10_000]);
        var bytes = payload.ToArray();

        HostileInputs.Run([bytes], input => ContractRuns.Read<Node>(input), seed: 7, count: 100);
    }

    [Fact]
    public void Integers_with_equal_hash_codes_get_different_ones()
    {
        // long.GetHashCode is the exclusive or of both halves: 0 for all of these.
        var numbers = Enumerable.Range(1, 100_000).Select(i => ((long)i << 32) | (uint)i).ToArray();
        var guids = numbers.Select(number => new Guid((int)number, 0, 0, BitConverter.GetBytes((int)number).Concat(new byte[4]).ToArray())).ToArray();

        numbers.Select(number => number.GetHashCode()).Distinct().Should().ContainSingle();
        numbers.Select(SeededComparer<long>.Default.GetHashCode).Distinct().Count().Should().BeGreaterThan(99_000);
        guids.Select(SeededComparer<Guid>.Default.GetHashCode).Distinct().Count().Should().BeGreaterThan(99_000);
    }
}
