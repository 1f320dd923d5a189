using System.Collections.Concurrent;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace CoAP.Tests.Lanes;

/// <summary>All objects that are reached from others by their fields, each with the field of ours that led to it.</summary>
internal sealed class ObjectGraph
{
    private const BindingFlags Own = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private static readonly ConcurrentDictionary<Type, FieldInfo[]> Fields = new();
    private static readonly ConcurrentDictionary<Type, bool> Holders = new();

    private readonly Dictionary<object, string> _places = new(ReferenceEqualityComparer.Instance);
    private readonly Queue<object> _waiting = new();
    private readonly HashSet<string> _cut;

    private ObjectGraph(IEnumerable<string> cut) => _cut = [.. cut];

    public IEnumerable<object> Objects => _places.Keys;

    /// <param name="root">Where the walk begins.</param>
    /// <param name="cut">Fields that are not followed, as "Type.field".</param>
    public static ObjectGraph From(object root, params IEnumerable<string> cut) => From([("", root)], cut);

    public static ObjectGraph From(IEnumerable<(string Place, object Root)> roots, params IEnumerable<string> cut)
    {
        var graph = new ObjectGraph(cut);
        foreach (var (place, root) in roots.Where(one => !graph._cut.Contains(one.Place))) { graph.Reach(place, root); }
        while (graph._waiting.TryDequeue(out var next)) { graph.Follow(graph._places[next], next); }
        return graph;
    }

    public bool Contains(object item) => _places.ContainsKey(item);

    /// <summary>The field of ours, as "Type.field", by which an object was reached, through whatever collections and delegates.</summary>
    public string PlaceOf(object item) => _places[item];

    /// <summary>The fields of an object's type and of those it derives from.</summary>
    public static FieldInfo[] FieldsOf(Type type) => Fields.GetOrAdd(type, static one => [.. FindFields(one)]);

    private static IEnumerable<FieldInfo> FindFields(Type type)
    {
        for (var at = type; at is not null; at = at.BaseType)
        {
            foreach (var field in at.GetFields(Own))
            {
                if (!field.FieldType.IsPointer && !field.FieldType.IsFunctionPointer) { yield return field; }
            }
        }
    }

    public static bool IsOurs(Type type) => type.Assembly.GetName().Name!.StartsWith("CoAP.", StringComparison.Ordinal);

    /// <summary>"Type.field", the name of a property where the compiler made the field for it, nothing of type arguments.</summary>
    public static string NameOf(FieldInfo field)
    {
        var name = field.Name.StartsWith('<') ? field.Name[1..field.Name.IndexOf('>')] : field.Name;
        var type = field.DeclaringType!;
        if (type.Name.StartsWith('<') && type.DeclaringType is { } outer) { type = outer; }     // what a lambda has captured
        return $"{type.Name.Split('`')[0]}.{name}";
    }

    /// <summary>Whether nothing can be written in it, by its kind.</summary>
    public static bool IsLeaf(object item) =>
        item is string or MemberInfo or Assembly or Module or Thread or Pointer || item.GetType().IsPrimitive || item.GetType().IsEnum;

    private void Reach(string place, object? item)
    {
        if (item is null || IsLeaf(item)) { return; }
        if (item is ValueType) { Follow(place, item); }
        else if (_places.TryAdd(item, place)) { _waiting.Enqueue(item); }
    }

    private void Follow(string place, object item)
    {
        switch (item)
        {
            case MulticastDelegate several when several.GetInvocationList() is { Length: > 1 } calls:
                foreach (var call in calls) { Reach(place, call); }
                break;
            case Delegate one:
                Reach(place, one.Target);
                break;
            case Array array when HoldsObjects(array.GetType().GetElementType()!):
                foreach (var element in array) { Reach(place, element); }
                break;
            case not Array:
                FollowFields(place, item);
                break;
        }
    }

    private void FollowFields(string place, object item)
    {
        foreach (var field in FieldsOf(item.GetType()))
        {
            if (!HoldsObjects(field.FieldType)) { continue; }
            var name = IsOurs(field.DeclaringType!) ? NameOf(field) : place;
            if (!_cut.Contains(name)) { Reach(name, field.GetValue(item)); }
        }
    }

    private static bool HoldsObjects(Type type) => Holders.GetOrAdd(type, static type =>
        !type.IsPointer && (bool)typeof(RuntimeHelpers).GetMethod(nameof(RuntimeHelpers.IsReferenceOrContainsReferences))!.MakeGenericMethod(type).Invoke(null, null)!);
}
