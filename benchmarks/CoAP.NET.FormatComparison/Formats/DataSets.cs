using CoAP.FormatComparison.Model;
using CoAP.FormatComparison.Schemas;

namespace CoAP.FormatComparison.Formats;

/// <summary>Creates the data sets of the comparison.</summary>
internal sealed class DataSets(FormatSet formats, int seed)
{
    /// <summary>A flat list of integers of 32 bits.</summary>
    public DataSet Ints(string name, int count)
    {
        var sequence = new IntSequence(seed, count);
        var values = sequence.ToArray();
        var size = (long)count * sizeof(int);
        // 24 bytes: header, type and length of the array.
        return new DataSet(name, "lists", count, size, size + 24, size, [.. FormatNames.All.Select(format => IntsIn(format, sequence, values))]);
    }

    /// <summary>A flat list of integers in one format.</summary>
    /// <param name="format">The name of the format.</param>
    /// <param name="sequence">The values that are expected when the list is read.</param>
    /// <param name="values">The values that are written.</param>
    public Case IntsIn(string format, IntSequence sequence, int[] values) => format switch
    {
        FormatNames.Bytes => new Case<int[]>(format, new RawFormat<int>(), values, sequence.Matches),
        FormatNames.Protobuf => formats.Protobuf(format, ToMessage(values), Int32List.Parser, sequence.Matches),
        FormatNames.ProtobufFixed => formats.Protobuf(format, ToFixed(values), Fixed32List.Parser, sequence.Matches),
        FormatNames.ProtobufGeneric => formats.Protobuf(format, ToGeneric(values), GenericValue.Parser, sequence.Matches),
        _ => formats.Of(values, sequence.Matches).First(one => one.Format == format),
    };

    /// <summary>The integer tree.</summary>
    public DataSet Tree(string name, int levels, int breadth)
    {
        var random = new RandomSource(seed);
        var before = GC.GetAllocatedBytesForCurrentThread();
        var tree = IntTree.Create(random, levels, breadth);
        var objects = GC.GetAllocatedBytesForCurrentThread() - before;
        var nodes = tree.CountNodes();
        var size = (long)nodes * sizeof(int);
        return new DataSet(name, "tree", nodes, size, objects, size,
        [
            Raw(size), .. formats.Of(tree),
            formats.Protobuf(
                FormatNames.Protobuf, ProtobufMessages.ToTree(tree), TreeMessage.Parser, message => tree.Matches(ProtobufMessages.FromTree(message))),
            formats.Protobuf(
                FormatNames.ProtobufGeneric, ProtobufMessages.ToGeneric(tree), GenericValue.Parser,
                message => tree.Matches(ProtobufMessages.ToTree(message))),
        ]);
    }

    /// <summary>The mixed list of figure 1, with any number of elements.</summary>
    public DataSet Figure1(string name, string group, int count) => Of(name, group, count, Generators.Figure1(count), list => formats.Protobuf(
        FormatNames.Protobuf, ProtobufMessages.ToFigure(list), FigureList.Parser, message => list.Matches(ProtobufMessages.FromFigure(message))));

    /// <summary>A flat list of primitives.</summary>
    public DataSet Primitives(string name, int count, Generator item) => Of(
        name, "homogeneity", count, Generators.RandomList(count, item), list => formats.Protobuf(
            FormatNames.Protobuf, ProtobufMessages.ToPrimitives(list), PrimitiveList.Parser,
            message => list.Matches(ProtobufMessages.FromPrimitives(message))));

    /// <summary>Lists in lists, with integers in the innermost ones.</summary>
    public DataSet Lists(string name, string group, int depth, int breadth) => Of(
        name, group, (long)Math.Pow(breadth, depth), Generators.RandomTree(depth, breadth, Generators.RandomInt), list => formats.Protobuf(
            FormatNames.Protobuf, ProtobufMessages.ToBranch(list), BranchMessage.Parser,
            message => list.Matches(ProtobufMessages.FromBranch(message)))) with
    {
        Depth = depth,
    };

    private DataSet Of(string name, string group, long values, Generator generator, Func<Datum, Case> own)
    {
        var random = new RandomSource(seed);
        var before = GC.GetAllocatedBytesForCurrentThread();
        var data = generator.Create(random);
        var objects = GC.GetAllocatedBytesForCurrentThread() - before;
        return new DataSet(name, group, values, data.RawBytes, objects, generator.Bits / 8,
        [
            Raw(data.RawBytes), .. formats.Of(data), own(data),
            formats.Protobuf(
                FormatNames.ProtobufGeneric, ProtobufMessages.ToGeneric(data), GenericValue.Parser, message =>
                    data.Matches(ProtobufMessages.FromGeneric(message))),
        ]);
    }

    // As many bytes as the primitives have, so that each format can be compared with a copy of them.
    private Case<byte[]> Raw(long size)
    {
        var bytes = new byte[size];
        new RandomSource(seed).Fill(bytes);
        return new Case<byte[]>(FormatNames.Bytes, new RawFormat<byte>(), bytes, other => other is byte[] read && read.AsSpan().SequenceEqual(bytes));
    }

    private static Int32List ToMessage(int[] values)
    {
        var message = new Int32List();
        message.Values.AddRange(values);
        return message;
    }

    private static Fixed32List ToFixed(int[] values)
    {
        var message = new Fixed32List();
        message.Values.AddRange(values);
        return message;
    }

    private static GenericValue ToGeneric(int[] values)
    {
        var message = new GenericValue { List = new GenericList { Items = { Capacity = values.Length } } };
        foreach (var value in values) { message.List.Items.Add(new GenericValue { Int32 = value }); }
        return message;
    }
}
