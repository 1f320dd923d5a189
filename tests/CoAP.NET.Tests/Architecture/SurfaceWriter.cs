using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace CoAP.Tests.Architecture;

/// <summary>Writes down the public and protected members of an assembly, one line each, in an order that does not change.</summary>
internal static class SurfaceWriter
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    public static IEnumerable<string> Describe(Assembly assembly) =>
        assembly.GetExportedTypes().Where(type => !type.FullName!.Contains('<')).OrderBy(type => type.FullName, StringComparer.Ordinal).SelectMany(Describe).Prepend($"# {assembly.GetName().Name}");

    private static IEnumerable<string> Describe(Type type)
    {
        if (typeof(Delegate).IsAssignableFrom(type)) { return [$"delegate {Signature(type.GetMethod("Invoke")!, TypeName.Full(type))}"]; }
        if (type.IsEnum) { return [$"enum {TypeName.Full(type)}", .. Enum.GetNames(type).Select(name => $"    {name} = {Convert.ToInt64(Enum.Parse(type, name), CultureInfo.InvariantCulture)}")]; }
        return [Head(type), .. type.GetMembers(Declared).Where(IsVisible).Select(member => "    " + Member(member)).Order(StringComparer.Ordinal)];
    }

    private static string Head(Type type)
    {
        var kind = type.IsInterface ? "interface" : type.IsValueType ? "struct" : "class";
        var modifier = type.IsInterface || type.IsValueType ? "" : type.IsAbstract && type.IsSealed ? "static " : type.IsAbstract ? "abstract " : type.IsSealed ? "sealed " : "";
        var inherited = type.BaseType?.GetInterfaces() ?? [];
        var bases = type.GetInterfaces().Except(inherited).Where(one => one.IsPublic).Select(TypeName.Of).Order(StringComparer.Ordinal).ToList();
        if (type.BaseType is { } parent && parent != typeof(object) && parent != typeof(ValueType)) { bases.Insert(0, TypeName.Of(parent)); }
        return $"{modifier}{kind} {TypeName.Full(type)}{(bases.Count == 0 ? "" : " : " + string.Join(", ", bases))}";
    }

    private static bool IsVisible(MemberInfo member) => !member.Name.Contains('<') && member switch
    {
        MethodInfo method => IsVisible(method) && !method.IsDefined(typeof(CompilerGeneratedAttribute)) && (!method.IsSpecialName || method.Name.StartsWith("op_", StringComparison.Ordinal)),
        ConstructorInfo constructor => IsVisible(constructor) && !constructor.IsDefined(typeof(CompilerGeneratedAttribute)),
        PropertyInfo property => property.GetAccessors(nonPublic: true).Any(IsVisible) && property.Name != "EqualityContract",
        FieldInfo field => field.IsPublic || field.IsFamily || field.IsFamilyOrAssembly,
        EventInfo handler => handler.AddMethod is { } add && IsVisible(add),
        _ => false,
    };

    private static bool IsVisible(MethodBase method) => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly;

    private static string Member(MemberInfo member) => member switch
    {
        MethodInfo method => Signature(method, method.Name + Generic(method)),
        ConstructorInfo constructor => $"{Access(constructor)}new({Parameters(constructor)})",
        PropertyInfo property => $"{Access(property.GetAccessors(nonPublic: true).First(IsVisible))}{TypeName.Of(property)} {Name(property)} {{ {Accessors(property)} }}",
        FieldInfo field => $"{(field.IsLiteral ? "const " : field.IsStatic ? "static " : "")}{TypeName.Of(field.FieldType)} {field.Name}",
        _ => member.ToString()!,
    };

    private static string Signature(MethodInfo method, string name) => $"{Access(method)}{TypeName.Of(method.ReturnParameter)} {name}({Parameters(method)})";

    private static string Access(MethodBase method) =>
        (method.IsPublic ? "" : "protected ") + (method.IsStatic ? "static " : method.IsAbstract && !method.DeclaringType!.IsInterface ? "abstract " : "");

    private static string Generic(MethodInfo method) =>
        method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(TypeName.Of))}>" : "";

    private static string Parameters(MethodBase method) =>
        (method.IsDefined(typeof(ExtensionAttribute)) ? "this " : "") + string.Join(", ", method.GetParameters().Select(Parameter));

    private static string Parameter(ParameterInfo parameter)
    {
        var way = !parameter.ParameterType.IsByRef ? "" : parameter.IsOut ? "out " : parameter.IsIn ? "in " : "ref ";
        var isList = parameter.IsDefined(typeof(ParamArrayAttribute)) || parameter.IsDefined(typeof(ParamCollectionAttribute));
        return $"{(isList ? "params " : "")}{way}{TypeName.Of(parameter)} {parameter.Name}{(parameter.HasDefaultValue ? " = " + (Convert.ToString(parameter.RawDefaultValue, CultureInfo.InvariantCulture) is { Length: > 0 } value ? value : "default") : "")}";
    }

    private static string Name(PropertyInfo property) =>
        property.GetIndexParameters() is { Length: > 0 } indexes ? $"this[{string.Join(", ", indexes.Select(Parameter))}]" : property.Name;

    private static string Accessors(PropertyInfo property)
    {
        var isInit = property.SetMethod?.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit)) == true;
        var set = property.SetMethod is { } setter && IsVisible(setter) ? isInit ? "init;" : "set;" : null;
        return string.Join(' ', new[] { property.GetMethod is { } getter && IsVisible(getter) ? "get;" : null, set }.Where(one => one is not null));
    }
}
