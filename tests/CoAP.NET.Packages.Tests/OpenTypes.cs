using System.Reflection;

namespace CoAP.Packages.Tests;

/// <summary>The public types that users implement or derive from, and what keeps them from doing so.</summary>
internal static class OpenTypes
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    /// <summary>The members of open types that only the library can implement or override.</summary>
    public static IEnumerable<string> MembersOutOfReach(Assembly assembly) => assembly.GetExportedTypes().Where(IsOpen)
        .SelectMany(type => type.GetMethods(Declared).Where(IsOutOfReach).Select(method => $"{type.Name}.{method.Name}"));

    /// <summary>The abstract classes that users cannot derive from, because they have no constructor for them.</summary>
    public static IEnumerable<string> ClosedClasses(Assembly assembly) =>
        assembly.GetExportedTypes().Where(type => type is { IsClass: true, IsAbstract: true, IsSealed: false } && !IsOpen(type)).Select(type => type.Name);

    private static bool IsOpen(Type type) => type.IsInterface || (type is { IsClass: true, IsSealed: false } && type.GetConstructors(Declared).Any(IsForUsers));

    // A record has a protected constructor for copies, which needs an instance.
    private static bool IsForUsers(ConstructorInfo constructor) =>
        !constructor.IsStatic && IsVisible(constructor) && constructor.GetParameters().All(parameter => parameter.ParameterType != constructor.DeclaringType);

    private static bool IsOutOfReach(MethodInfo method) =>
        method is { IsVirtual: true, IsFinal: false } && !IsVisible(method) && method.GetBaseDefinition() == method && !(method.IsPrivate && !method.IsAbstract);

    private static bool IsVisible(MethodBase method) => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly;
}
