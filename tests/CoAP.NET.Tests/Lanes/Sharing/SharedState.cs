using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Reflection;

namespace CoAP.Tests.Lanes;

/// <summary>What two lanes have in common, with everything that can be written in it.</summary>
internal static class SharedState
{
    private static readonly Assembly[] Fixed = [typeof(ImmutableArray).Assembly];

    /// <summary>The objects that both of two roots lead to.</summary>
    public static List<object> Between(ObjectGraph left, ObjectGraph right) => [.. left.Objects.Where(right.Contains)];

    /// <summary>Where something can be written in an object, as "Type.field"; nothing for what is made once.</summary>
    public static IEnumerable<string> WritableIn(object item, string place)
    {
        var type = item.GetType();
        if (item is Delegate || IsFixed(type)) { return []; }
        if (item is Array array) { return array.Length > 0 ? [place] : []; }
        var fields = ObjectGraph.FieldsOf(type).Where(static field => !field.IsInitOnly);
        if (ObjectGraph.IsOurs(type)) { return fields.Select(ObjectGraph.NameOf); }
        return type == typeof(object) || fields.Any() ? [place] : [];   // a bare object is there to be locked
    }

    private static bool IsFixed(Type type) =>
        Fixed.Contains(type.Assembly) && (type.Namespace == typeof(ImmutableArray).Namespace || type.Namespace == typeof(FrozenSet).Namespace);

    /// <summary>What stands in the fields of an object, of its values too; of references which object it is.</summary>
    public static List<object?> ContentOf(object item)
    {
        var content = new List<object?>();
        if (item is Delegate) { return content; }
        if (item is Array numbers && numbers.GetType().GetElementType()!.IsPrimitive) { content.Add(new Bytes(numbers)); }
        else if (item is Array array) { foreach (var element in array) { Note(element, content); } }
        else { foreach (var field in ObjectGraph.FieldsOf(item.GetType())) { Note(field.GetValue(item), content); } }
        return content;
    }

    public static bool IsSame(List<object?> before, List<object?> after) =>
        before.Count == after.Count && before.Zip(after).All(static pair => pair.First is ValueType ? pair.First.Equals(pair.Second) : ReferenceEquals(pair.First, pair.Second));

    /// <summary>What is static in the library, but what each thread has of its own. Types with arguments are not looked at.</summary>
    public static IEnumerable<FieldInfo> Statics() =>
        from type in new[] { typeof(CoapServer).Assembly, typeof(CoapMessage).Assembly }.SelectMany(static assembly => assembly.GetTypes())
        where !type.ContainsGenericParameters
        from field in type.GetFields(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly)
        where !field.IsLiteral && !field.FieldType.IsPointer && !field.FieldType.IsFunctionPointer && !field.IsDefined(typeof(ThreadStaticAttribute))
        select field;

    public static List<object?> ContentOf(IEnumerable<FieldInfo> statics)
    {
        var content = new List<object?>();
        foreach (var field in statics) { Note(field.GetValue(null), content); }
        return content;
    }

    private static void Note(object? value, List<object?> content)
    {
        if (value is ValueType && !ObjectGraph.IsLeaf(value))
        {
            foreach (var field in ObjectGraph.FieldsOf(value.GetType())) { Note(field.GetValue(value), content); }
        }
        else { content.Add(value); }
    }

    /// <summary>The bytes of an array of numbers. A box for each of its elements would take long.</summary>
    private readonly struct Bytes
    {
        private readonly byte[] _bytes;

        public Bytes(Array numbers)
        {
            _bytes = new byte[Buffer.ByteLength(numbers)];
            Buffer.BlockCopy(numbers, 0, _bytes, 0, _bytes.Length);
        }

        public override bool Equals(object? other) => other is Bytes bytes && _bytes.AsSpan().SequenceEqual(bytes._bytes);

        public override int GetHashCode() => _bytes.Length;
    }
}
