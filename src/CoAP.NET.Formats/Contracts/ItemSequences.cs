using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CoAP.Formats;

/// <summary>Writes and reads the items of arrays, lists and sets.</summary>
internal static class ItemSequences
{
    // All open arrays together announce at most as many items as bytes are left. Room for that many small items is a small multiple of the payload;
    // larger items get room for a few first.
    private const int BytesForItemsWithInnerArrays = 512;
    private const int LargestPlainItem = 16;

    /// <summary>Returns how many items a collection gets room for before they have been read.</summary>
    /// <exception cref="CoapPayloadException">The room would take too much memory.</exception>
    public static int CapacityFor<T>(CborReader reader, int? announced)
    {
        if (announced is not { } count) { return 0; }
        var capacity = IsPlain<T>() ? count : Math.Min(count, Math.Max(1, BytesForItemsWithInnerArrays / Unsafe.SizeOf<T>()));
        reader.Spend((long)capacity * Unsafe.SizeOf<T>());
        return capacity;
    }

    public static void Write<T>(CborWriter writer, ReadOnlySpan<T> values, PayloadContract<T> items)
    {
        writer.WriteArrayStart(values.Length);
        if (typeof(T) == typeof(int) && items is Int32Contract)
        {
            ref var first = ref Unsafe.As<T, int>(ref MemoryMarshal.GetReference(values));
            writer.WriteInt32s(MemoryMarshal.CreateReadOnlySpan(ref first, values.Length));
            return;
        }
        foreach (var value in values) { items.Write(writer, value); }
    }

    public static List<T> ReadList<T>(CborReader reader, PayloadContract<T> items)
    {
        if (typeof(T) == typeof(int) && items is Int32Contract) { return (List<T>)(object)ReadIntegers(reader, reader.ReadArrayStart()); }
        var list = new List<T>(CapacityFor<T>(reader, reader.ReadArrayStart()));
        while (reader.MoveNext()) { list.Add(items.Read(reader)); }
        return list;
    }

    public static T[] ReadArray<T>(CborReader reader, PayloadContract<T> items)
    {
        var announced = reader.ReadArrayStart();
        if (typeof(T) == typeof(int) && items is Int32Contract) { return (T[])(object)ReadIntegerArray(reader, announced); }
        var capacity = CapacityFor<T>(reader, announced);
        if (announced is not { } count || capacity < count)
        {
            var list = new List<T>(capacity);
            while (reader.MoveNext()) { list.Add(items.Read(reader)); }
            return [.. list];
        }
        var array = count == 0 ? [] : new T[count];
        var next = 0;
        while (reader.MoveNext()) { array[next++] = items.Read(reader); }
        return array;
    }

    private static int[] ReadIntegerArray(CborReader reader, int? announced)
    {
        if (announced is not { } count) { return [.. ReadIntegers(reader, announced)]; }
        var array = count == 0 ? [] : new int[CapacityFor<int>(reader, count)];
        // Fewer than asked for means that the end has been passed.
        if (reader.ReadInt32s(array) == count) { reader.MoveNext(); }
        return array;
    }

    // Fills the room that the list has, and lets it grow by adding the next integer.
    private static List<int> ReadIntegers(CborReader reader, int? announced)
    {
        var list = new List<int>(CapacityFor<int>(reader, announced));
        while (true)
        {
            var (count, room) = (list.Count, list.Capacity - list.Count);
            CollectionsMarshal.SetCount(list, list.Capacity);
            var read = reader.ReadInt32s(CollectionsMarshal.AsSpan(list)[count..]);
            CollectionsMarshal.SetCount(list, count + read);
            if (read < room || !reader.MoveNext()) { return list; }
            list.Add(reader.ReadInt32());
        }
    }

    private static bool IsPlain<T>() =>
        typeof(T) == typeof(string) || (!RuntimeHelpers.IsReferenceOrContainsReferences<T>() && Unsafe.SizeOf<T>() <= LargestPlainItem);
}
